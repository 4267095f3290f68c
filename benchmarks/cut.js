(() => {
  const faults = [];
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && one.closest(".unseen, svg, [aria-hidden=true]") === null && one.clientHeight !== 1;
  const words = (one) => (one.getAttribute("aria-label") || one.innerText || one.className || one.tagName).trim().replace(/\s+/g, " ").slice(0, 60);
  const boxes = [...document.querySelectorAll(".side *, .top *, .centre > ul *, .words, .hand .last *, .hand .piles *, .hand .pull *")].filter((one) => one instanceof HTMLElement && seen(one));
  // Text that does not fit into its own box.
  for (const one of boxes) {
    const style = getComputedStyle(one);
    const clips = /hidden|clip/.test(style.overflowX + style.overflowY) || style.textOverflow === "ellipsis";
    if (!clips || !one.innerText?.trim()) continue;
    if (one.scrollWidth > one.clientWidth + 1) faults.push(`cut at the side: ${words(one)}`);
    else if (one.scrollHeight > one.clientHeight + 2) faults.push(`cut below: ${words(one)}`);
  }
  // Answers, and what carries them out, stand where they are seen without scrolling.
  // On a phone the answers are a sheet that is drawn and scrolled: what is asked and what carries it out stand still.
  const phone = innerWidth < 600;
  for (const one of document.querySelectorAll(phone ? ".commit button, .side .now, p.words" : ".side h2#question, .side [data-answer], .commit button, .ask, .side .now")) {
    if (!(one instanceof HTMLElement) || !seen(one)) continue;
    const box = one.getBoundingClientRect();
    let frame = { top: 0, bottom: innerHeight, left: 0, right: innerWidth };
    for (let up = one.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowY === "visible") continue;
      const b = up.getBoundingClientRect();
      frame = { top: Math.max(frame.top, b.top), bottom: Math.min(frame.bottom, b.bottom), left: Math.max(frame.left, b.left), right: Math.min(frame.right, b.right) };
    }
    if (box.height > 0 && (box.top < frame.top - 1 || box.bottom > frame.bottom + 1)) faults.push(`out of sight: ${words(one)}`);
    if (box.left < frame.left - 1 || box.right > frame.right + 1) faults.push(`beside the window: ${words(one)}`);
  }
  // What is printed on a card is seen whole, unless another card lies over its side; a tablet that is held upright shows the heads.
  const upright = innerWidth < innerHeight;
  for (const one of document.querySelectorAll(upright ? ".fan .title" : ".fan .title, .fan .words")) {
    const box = one.getBoundingClientRect();
    const card = one.closest(".card").getBoundingClientRect();
    if (box.height > 0 && (box.bottom > innerHeight + 1 || box.bottom > card.bottom + 1)) faults.push(`cut on a card: ${words(one)}`);
  }
  // Lines of text do not lie over one another.
  const ofText = (one) => {
    const range = document.createRange();
    const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node.parentElement.closest(".unseen") || !node.data.trim()) continue;
      range.selectNodeContents(node);
      return range.getBoundingClientRect();
    }
    return null;
  };
  const lines = [...document.querySelectorAll(".top .scenario, .top .quiet, .top .to-win, .top .now, .top ol, .centre > ul :is(.name > span, dt, dd button)")]
    .filter((one) => seen(one))
    .map((one) => [one, one.matches("ol") ? one.getBoundingClientRect() : ofText(one)])
    .filter(([, box]) => box !== null);
  for (const [i, [one, a]] of lines.entries())
    for (const [other, b] of lines.slice(i + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 2 && high > 5 && !one.contains(other)) faults.push(`over one another: ${words(one)}, ${words(other)}`);
    }
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than its window");
  // What is asked stands once.
  const asked = document.querySelector("#question")?.innerText.trim().toLowerCase();
  if (asked) {
    const twice = [...document.querySelectorAll("main p, main h2, .side p, .side h2")].filter((one) => one instanceof HTMLElement && seen(one) && one.clientHeight > 2 && one.innerText.trim().toLowerCase() === asked);
    if (twice.length > 1) faults.push(`asked ${twice.length} times: ${asked}`);
  }
  return faults;
})();
