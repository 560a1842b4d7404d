/* What a match page gains from JavaScript: it follows the match by itself, shows where things went,
   and keeps one's place. Moves, holds and steps are links and forms that work without it. */
(() => {
  "use strict";

  const MOTION = 220; // ms
  const RESTLESS = 1000; // ms since the pointer moved in which it may be about to press
  const LONGEST_WAIT = 4000; // ms that news are held back for a hovering pointer
  const LISTEN = 30000; // ms between looks at the chat
  const FRESH = 20; // unchanged looks after which the page is printed anew, for the clocks on it
  const CONTROLS = "#table a[href], #table button:not([disabled]), #table label, #table input, #table select";
  const STATEFUL = "input[type=checkbox][id], input[type=radio][id]";
  const SCROLLERS = ".board-place, .log-scroll, .beside, .recap ul, .pan, .hand .slates";

  const stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
  const table = () => document.getElementById("table");
  const bubble = document.getElementById("bubble");
  const suffix = document.title.slice(document.title.lastIndexOf(" · "));

  // --- what is kept across a swap -----------------------------------------------------------------

  let kept = null;

  const newest = (root) =>
    Math.max(0, ...[...root.querySelectorAll(".log [data-line]")].map((line) => Number(line.dataset.line)));

  const quoted = (text) => `"${CSS.escape(text)}"`;

  function address(element) {
    if (!element || !element.closest("#table")) return null;
    if (element.id) return `#${CSS.escape(element.id)}`;
    if (element.name && element.value) return `[name=${quoted(element.name)}][value=${quoted(element.value)}]`;
    const link = element.getAttribute("formaction") || element.getAttribute("href");
    if (link) return `[formaction=${quoted(link)}], [href=${quoted(link)}]`;
    if (element.dataset.key) return `[data-key=${quoted(element.dataset.key)}]`;
    return "#turn";
  }

  function positions(root) {
    const board = root.querySelector(".board-place").getBoundingClientRect();
    const found = new Map();
    for (const piece of root.querySelectorAll("[data-key]")) {
      const box = piece.getBoundingClientRect();
      if (box.width) found.set(piece.dataset.key, [box.left - board.left, box.top - board.top]);
    }
    return found;
  }

  function keep(root) {
    kept = {
      places: positions(root),
      focus: address(document.activeElement),
      newest: newest(root),
      checked: new Map([...root.querySelectorAll(STATEFUL)].map((box) => [box.id, box.checked])),
      scrolled: [...root.querySelectorAll(SCROLLERS)].map((box) => [box.scrollTop, box.scrollLeft]),
      page: window.scrollY,
      myTurn: root.classList.contains("my-turn"),
    };
  }

  function restore(root) {
    // A turn that has just begun opens with what happened since the last one.
    const begun = root.classList.contains("my-turn") && !kept.myTurn;
    for (const [id, checked] of kept.checked) {
      const box = document.getElementById(id);
      if (box && !(begun && box.name === "tab")) box.checked = checked;
    }
    root.querySelectorAll(SCROLLERS).forEach((box, place) => {
      if (kept.scrolled[place]) [box.scrollTop, box.scrollLeft] = kept.scrolled[place];
    });
    if (kept.focus) {
      const same = root.querySelector(kept.focus);
      const panel = root.querySelector("#turn, #result-head");
      if (same && !same.disabled) stand(same, { preventScroll: true });
      else panel?.focus({ preventScroll: true });
    }
    if (window.scrollY !== kept.page) window.scrollTo(0, kept.page);
  }

  // A part of a board that is larger than its window begins where the board says that things happen,
  // and does so again when it is enlarged.
  function aim(box) {
    const [x, y] = (box.dataset.look || "0.5 0.5").split(" ").map(Number);
    box.scrollLeft = x * box.scrollWidth - box.clientWidth / 2;
    box.scrollTop = y * box.scrollHeight - box.clientHeight / 2;
  }
  document.querySelectorAll(".pan").forEach(aim);
  document.addEventListener("change", ({ target }) => {
    const box = target.matches(".zoom") && target.parentElement.querySelector(".pan");
    if (!box) return;
    aim(box);
    seek(box);
  });

  // When all that is lit lies outside such a window, the window moves to the nearest of it.
  function seek(box) {
    const frame = box.getBoundingClientRect();
    const ways = [...box.querySelectorAll(".lit")].map((thing) => {
      const { left, right, top, bottom } = thing.getBoundingClientRect();
      const way = (low, high, from, to) => Math.min(0, low - from) + Math.max(0, high - to);
      return [way(left, right, frame.left, frame.right), way(top, bottom, frame.top, frame.bottom)];
    });
    const far = ([x, y]) => Math.abs(x) + Math.abs(y);
    const [x, y] = ways.reduce((best, one) => (far(one) < far(best) ? one : best), ways[0] || [0, 0]);
    if (x || y) box.scrollBy(x + 12 * Math.sign(x), y + 12 * Math.sign(y));
  }

  // --- where things went --------------------------------------------------------------------------

  // Slide each piece from where it lay to where it lies; pieces of a picture are measured in its units.
  function slide(root) {
    if (stillness.matches || document.documentElement.dataset.motion === "off") return;
    const now = positions(root);
    for (const piece of root.querySelectorAll("[data-key]")) {
      const from = kept.places.get(piece.dataset.key);
      const to = now.get(piece.dataset.key);
      if (!from || !to) continue;
      const scale = piece.ownerSVGElement?.getScreenCTM()?.a || 1;
      const x = (from[0] - to[0]) / scale;
      const y = (from[1] - to[1]) / scale;
      if (Math.abs(x) + Math.abs(y) < 3) continue;
      const rest = getComputedStyle(piece).transform;
      const end = rest === "none" ? "translate(0, 0)" : rest;
      piece.animate(
        [{ transform: `translate(${x}px, ${y}px) ${rest === "none" ? "" : rest}` }, { transform: end }],
        { duration: MOTION, easing: "ease-out" },
      );
    }
  }

  function announce(root) {
    const lines = [...root.querySelectorAll(".log [data-line]")];
    const fresh = lines.filter((line) => Number(line.dataset.line) > kept.newest);
    for (const line of fresh) line.classList.add("fresh");
    const words = root.dataset.say || fresh.map((line) => line.textContent).join(" ");
    if (words) document.getElementById("announce").textContent = words;
  }

  // --- the pointer --------------------------------------------------------------------------------

  const pointer = { down: false, touch: false, moved: 0, x: 0, y: 0, over: null, still: false };
  let waitingSince = 0;

  document.addEventListener("pointermove", (event) => {
    if (event.clientX === pointer.x && event.clientY === pointer.y) return;
    Object.assign(pointer, { moved: Date.now(), x: event.clientX, y: event.clientY, over: event.target, still: false });
  }, { passive: true });
  document.addEventListener("pointerdown", (event) => {
    const touch = event.pointerType === "touch";
    Object.assign(pointer, { down: true, touch, moved: Date.now(), x: event.clientX, y: event.clientY, over: event.target });
  }, { passive: true });
  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, () => { pointer.down = false; }, { passive: true });
  }

  // Nothing is taken from under a finger: news wait until it rests or has gone, though not for ever.
  function pressing() {
    const restless = Date.now() - pointer.moved < RESTLESS && pointer.over?.closest?.(CONTROLS);
    if (!pointer.down && !restless) {
      waitingSince = 0;
      return false;
    }
    waitingSince ||= Date.now();
    return Date.now() - waitingSince < LONGEST_WAIT;
  }

  // --- following the match ------------------------------------------------------------------------

  const poll = document.getElementById("poll");
  let timer = 0;
  let unchanged = 0;

  // Soon again after a change, then more and more patiently up to what the page asks for; a bot
  // that does not move for a minute is not looked at every second.
  function later(ms) {
    clearTimeout(timer);
    const asked = 1000 * Number(table()?.dataset.poll);
    if (!poll || !asked) return;
    const patience = asked > 1000 ? asked : unchanged > 60 ? 5000 : Math.min(asked, 350 + 150 * unchanged);
    timer = setTimeout(look, ms ?? patience);
  }

  function look() {
    if (document.hidden) return;
    if (table().classList.contains("busy")) return later(300);
    const asked = new URLSearchParams(location.search);
    const query = new URLSearchParams();
    if (asked.has("link")) query.set("link", asked.get("link"));
    if (table().dataset.hold) query.set("hold", table().dataset.hold);
    unchanged += 1;
    // Always sent, also for a page printed anew: what a page does by itself is no visit of a person.
    query.set("seen", unchanged % FRESH ? table().dataset.revision : "");
    const again = () => later();
    htmx.ajax("GET", `${table().dataset.address}?${query}`, { source: poll, target: "#table", swap: "outerHTML" })
      .then(again, again);
  }

  // Who comes back may have laid something out elsewhere, of which no revision tells.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || !poll) return;
    unchanged = FRESH - 1;
    later(0);
  });

  // --- requests and swaps -------------------------------------------------------------------------

  const isPoll = (event) => event.detail.requestConfig?.elt === poll || event.detail.elt === poll;

  const isTalk = (event) => Boolean(event.detail.elt?.closest?.("#talk"));

  document.addEventListener("htmx:configRequest", (event) => {
    // htmx leaves out a pressed button that stands outside its form: the phone's "Do it".
    const pressed = event.detail.triggeringEvent?.submitter;
    if (pressed?.name) event.detail.parameters[pressed.name] = pressed.value;
    const { verb, parameters } = event.detail;
    if (verb === "post" && table() && parameters.token === undefined) parameters.token = table().dataset.token;
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!table() || event.detail.elt === poll || isTalk(event)) return;
    if (poll) htmx.trigger(poll, "htmx:abort");
    table().classList.add("busy");
    hide();
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    if (!isTalk(event)) table()?.classList.remove("busy");
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { detail } = event;
    if (detail.target?.id === "replay") return keep(detail.target);
    if (detail.target?.id !== "table") return;
    const status = detail.xhr.status;
    if (status === 403 || status === 404) {
      // A refusal brings the board with it; without one this page is out of date.
      if (!detail.xhr.responseText.includes('id="table"')) return location.reload();
      detail.shouldSwap = true;
      detail.isError = false;
    }
    if (isPoll(event) && detail.shouldSwap && pressing()) {
      detail.shouldSwap = false;
      later(400);
      return;
    }
    if (detail.shouldSwap) keep(detail.target);
  });

  document.addEventListener("htmx:load", (event) => {
    const root = event.target;
    if (!kept || (root.id !== "table" && root.id !== "replay")) return;
    if (root.id === "table") {
      unchanged = 0;
      document.title = root.dataset.title + suffix;
      announce(root);
      later();
    }
    restore(root);
    root.querySelectorAll(".pan").forEach(seek);
    if (root.id === "replay") findStep(root);
    refuse(root);
    slide(root);
    pointer.still = true; // what appears under a resting pointer is not pointed at
    kept = null;
  });

  // --- words beside the thing ---------------------------------------------------------------------

  // Sentences, and which of them explains what.
  const [sentences, place] = JSON.parse(document.getElementById("explanations")?.textContent || "[[], {}]");
  let opening = 0;

  function hide() {
    clearTimeout(opening);
    if (bubble) bubble.hidden = true;
  }

  function say(text, box, tone, more) {
    if (!bubble) return;
    bubble.textContent = text;
    if (more) bubble.append(Object.assign(document.createElement("small"), { textContent: more }));
    bubble.className = `bubble ${tone}`;
    bubble.hidden = false;
    const own = bubble.getBoundingClientRect();
    const left = Math.min(Math.max(8, box.left + box.width / 2 - own.width / 2), innerWidth - own.width - 8);
    const above = box.top - own.height - 8;
    bubble.style.left = `${left}px`;
    bubble.style.top = `${above > 60 ? above : box.top + box.height + 8}px`;
  }

  // Beside the finger; since a finger does not hover, with what the thing is for.
  function refuse(root) {
    const refusal = root.querySelector(".refusal p");
    if (!refusal || Date.now() - pointer.moved > 5000) return;
    const thing = pointer.touch ? document.elementFromPoint(pointer.x, pointer.y)?.closest("[data-explain]") : null;
    const own = thing?.getBoundingClientRect();
    const box = own?.height < 120 ? own : { left: pointer.x, top: pointer.y - 12, width: 0, height: 24 };
    say(refusal.firstChild.textContent, box, "no", thing ? about(thing) : "");
  }

  // What lies here now, if the board says it, and what such a thing is for.
  function about(thing) {
    return [thing.dataset.words, sentences[place[thing.dataset.explain]]].filter(Boolean).join(" ");
  }

  function explain(thing) {
    const text = about(thing);
    if (text) say(text, thing.getBoundingClientRect(), "");
  }

  // Where there is no hovering, a tap explains what does nothing else.
  document.addEventListener("click", (event) => {
    const thing = event.target.closest?.("[data-explain]");
    if (thing && !event.target.closest("a[href], button, label, summary")) explain(thing);
  });

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const thing = event.target.closest?.("[data-explain]");
    clearTimeout(opening);
    if (thing) opening = setTimeout(() => thing.isConnected && !pointer.still && explain(thing), 450);
    else if (!pointer.still) hide();
  });
  document.addEventListener("focusin", (event) => {
    const thing = event.target.closest?.("[data-explain]");
    if (thing && event.target.matches(":focus-visible")) explain(thing);
    else hide();
  });
  document.addEventListener("scroll", hide, { passive: true });

  // --- the board by keyboard ----------------------------------------------------------------------

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  // Give the focus to a thing, also to one that cannot be clicked: its explanation is for everybody.
  function stand(thing, how) {
    if (thing.tabIndex < 0) thing.setAttribute("tabindex", "-1");
    const text = about(thing);
    if (text) thing.setAttribute("aria-description", text);
    thing.focus(how);
  }

  const middle = (thing) => {
    const box = thing.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  // The nearest thing that way; what lies aside counts as farther off.
  function neighbour(from, [right, down]) {
    const [x, y] = middle(from);
    let found = null;
    let nearest = Infinity;
    for (const thing of from.closest(".board-place").querySelectorAll("[data-explain]")) {
      if (thing === from || !thing.getClientRects().length) continue;
      const [left, top] = middle(thing);
      const ahead = (left - x) * right + (top - y) * down;
      const aside = Math.abs((left - x) * down) + Math.abs((top - y) * right);
      if (ahead > 2 && ahead + 2 * aside < nearest) [found, nearest] = [thing, ahead + 2 * aside];
    }
    return found;
  }

  // From the board itself, which up and down scroll, sideways leads to its first thing.
  function walk(event) {
    const way = ARROWS[event.key];
    if (!way || !event.target.closest?.(".board-place")) return;
    const from = event.target.closest("[data-explain]");
    const first = way[0] && event.target.matches(".board-place") && event.target.querySelector("[data-explain]");
    const next = from ? neighbour(from, way) : first;
    if (!next) return;
    event.preventDefault();
    stand(next);
    requestAnimationFrame(() => next.isConnected && explain(next)); // the page may have scrolled there
  }

  // --- keys ---------------------------------------------------------------------------------------

  const STEPS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") {
      hide();
      document.querySelector("#table .put-back")?.click();
    }
    const link = document.querySelector(`#replay [rel="${STEPS[event.key]}"]`);
    if (link && !event.target.matches("input, select, textarea, .log-scroll")) {
      event.preventDefault();
      link.click();
    } else walk(event);
    // Links of a picture that act like buttons answer the space bar as buttons do.
    if (event.key === " " && event.target.matches("a[role=button]")) {
      event.preventDefault();
      event.target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
  });

  // --- replay -------------------------------------------------------------------------------------

  // The slider answers by itself, so its button goes; the log is opened where one is.
  function findStep(root) {
    for (const button of root.querySelectorAll(".step-go")) button.hidden = true;
    const now = root.querySelector(".log .now");
    const box = root.querySelector(".log-scroll");
    if (now) box.scrollTop += now.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
  }

  if (document.getElementById("replay")) findStep(document);
  later();

  // --- chat ---------------------------------------------------------------------------------------

  // The newest message is in sight; what was said is taken out of the field.
  const toNewest = () => {
    const list = document.querySelector("#messages ol");
    if (list) list.scrollTop = list.scrollHeight;
  };
  toNewest();
  const listen = () => {
    const messages = document.getElementById("messages");
    if (messages && !document.hidden) htmx.trigger(messages, "look");
  };
  setInterval(listen, LISTEN);
  // Only what stands in an open drawer counts as read.
  const chat = document.getElementById("chat");
  chat?.addEventListener("toggle", () => chat.open && listen());
  document.addEventListener("htmx:configRequest", ({ detail: { elt, parameters } }) => {
    if (elt.id === "messages" && chat.open) parameters.chat = "";
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id === "messages" || event.detail.target?.id === "messages") toNewest();
  });
  document.addEventListener("htmx:afterRequest", ({ target: form, detail: { xhr } }) => {
    if (!form.matches?.("[data-say]")) return;
    // Not said: it was refused, or its writer is led to the log-in.
    if (xhr.status !== 200 || xhr.getResponseHeader("HX-Redirect")) return;
    form.reset();
    sessionStorage.removeItem(written(form));
  });

  // What is being written outlives the page, and a session that ends meanwhile, until it is sent.
  const written = (form) => `written by ${form.dataset.writer} ${form.getAttribute("action")}`;
  document.addEventListener("input", ({ target: { form, value } }) => {
    if (form?.matches("[data-writer]")) sessionStorage.setItem(written(form), value);
  });
  for (const form of document.querySelectorAll("[data-writer]")) {
    const text = sessionStorage.getItem(written(form));
    if (text === null || text === form.elements.text.value) {
      sessionStorage.removeItem(written(form));
      continue;
    }
    form.elements.text.value = text;
    form.closest("details").open = true;
  }
})();
