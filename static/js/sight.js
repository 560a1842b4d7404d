/* What is lit, in sight: picking something up scrolls the board to its targets, and a move after which
   nothing lit is left in sight to the nearest. An arrow at the edge leads to the targets of what is held
   that lie beyond it, and to all that is lit where none of it can be seen. A page that speaks of something
   else on the board (`data-show`) has that in sight from the beginning. For eyes only; the list of moves
   has them all. */
(() => {
  "use strict";

  const STAYING = ".bar, .turn, .board-place [data-stays]"; // what may lie over what scrolls
  const ROOM = 12; // px between a target and the edge
  const SEEN = 16; // px of a target that may lie beyond the edge

  const table = () => document.getElementById("table");
  const stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
  const still = () => stillness.matches || document.documentElement.dataset.motion === "off";

  // The part of the screen in which the board can be seen, between what stays over it.
  function sight(root) {
    const board = root.querySelector(".board-place");
    const own = board.getBoundingClientRect();
    const box = getComputedStyle(board).overflowY === "auto" ? board : window;
    const staying = [...root.querySelectorAll(STAYING)].filter((part) => /sticky|fixed/.test(getComputedStyle(part).position));
    let [top, bottom] = box === board ? [own.top, own.bottom] : [0, innerHeight];
    for (const part of staying) {
      const { top: high, bottom: low } = part.getBoundingClientRect();
      if (low <= top || high >= bottom) continue;
      if (low + high < top + bottom) top = Math.max(top, low);
      else bottom = Math.min(bottom, high);
    }
    return { box, top, bottom, middle: own.left + own.width / 2, staying };
  }

  // The targets with the height at which they lie; those that stay over the board are always in sight.
  function targets(root, staying) {
    return [...root.querySelectorAll(`.board-place ${root.dataset.show || ".lit"}`)]
      .filter((thing) => thing.getClientRects().length && !staying.some((part) => part.contains(thing)))
      .map((thing) => thing.getBoundingClientRect());
  }

  // Nothing to be done can be seen, neither on the board nor in what stays over it.
  function lost(root, frame) {
    const staying = frame.staying.some((part) => part.querySelector(".lit"));
    return !staying && targets(root, frame.staying).every((span) => Math.abs(beyond(span, frame)) > SEEN);
  }

  const beyond = (span, { top, bottom }) => Math.min(0, span.top - top) + Math.max(0, span.bottom - bottom);
  const nearest = (ways) => ways.reduce((best, one) => (Math.abs(one) < Math.abs(best) ? one : best));

  function scroll(box, way) {
    if (way) box.scrollBy({ top: way + ROOM * Math.sign(way), behavior: still() ? "instant" : "smooth" });
  }

  // Scroll until all targets are in sight, or the nearest where they lie too far apart.
  function show(root) {
    const frame = sight(root);
    const spans = targets(root, frame.staying);
    if (!spans.length) return;
    const all = { top: Math.min(...spans.map((span) => span.top)), bottom: Math.max(...spans.map((span) => span.bottom)) };
    const fits = all.bottom - all.top < frame.bottom - frame.top - 2 * ROOM;
    scroll(frame.box, fits ? beyond(all, frame) : nearest(spans.map((span) => beyond(span, frame))));
  }

  // --- arrows at the edges ------------------------------------------------------------------------

  const arrows = ["up", "down"].map((way) => {
    const arrow = Object.assign(document.createElement("button"), { type: "button", className: `further ${way}`, tabIndex: -1, hidden: true });
    arrow.setAttribute("aria-hidden", "true");
    arrow.addEventListener("click", () => {
      const frame = sight(table());
      const ways = out(frame, way);
      if (ways.length) scroll(frame.box, nearest(ways));
    });
    return document.body.appendChild(arrow);
  });

  function out(frame, way) {
    return targets(table(), frame.staying)
      .map((span) => beyond(span, frame))
      .filter((far) => (way === "up" ? far < -SEEN : far > SEEN));
  }

  function point() {
    let frame = table()?.matches(".my-turn") ? sight(table()) : null;
    if (frame && !table().dataset.hold && !lost(table(), frame)) frame = null;
    for (const [number, arrow] of arrows.entries()) {
      arrow.hidden = !frame || !out(frame, number ? "down" : "up").length;
      if (arrow.hidden) continue;
      arrow.style.left = `${frame.middle}px`;
      arrow.style.top = `${number ? frame.bottom : frame.top}px`;
    }
  }

  let asked = 0;
  const soon = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(point);
  };
  for (const name of ["scroll", "resize"]) window.addEventListener(name, soon, { passive: true, capture: true });

  // A turn that goes on with another token: one has made a move, and the page may go along with it.
  const state = (root) => ({ hold: root?.dataset.hold, token: root?.matches(".my-turn") && root.dataset.token });
  let last = state(table());
  document.addEventListener("htmx:load", (event) => {
    if (event.target.id !== "table") return;
    const root = event.target;
    const now = state(root);
    const acted = now.token && last.token && now.token !== last.token;
    const turned = acted && lost(root, sight(root));
    if (root.dataset.show || (now.hold && now.hold !== last.hold) || turned) show(root);
    last = now;
    soon();
  });
  if (table()?.dataset.show) show(table());
  soon();
})();
