import { mount } from "svelte";

import App from "./App.svelte";
import "./base.css";
import "./motion/motion.css";
import { dress } from "./lib/settings.svelte";
import "./tokens.css";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no element #app");

dress();
export default mount(App, { target });
