import { mount } from "svelte";

import App from "./App.svelte";
import "./base.css";
import "./motion/motion.css";
import { speak } from "./languages/speak";
import { guardPresses } from "./lib/presses";
import { followNewerPages } from "./lib/renewed";
import { currentLanguage, dress } from "./lib/settings.svelte";
import "./tokens.css";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no element #app");

followNewerPages();
guardPresses();
dress();
// The page works even if its language cannot be fetched.
await speak(currentLanguage()).catch(() => speak("en"));
export default mount(App, { target });
