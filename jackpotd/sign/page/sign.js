// The page of a sign: draws what the player says, and says what it draws.
//
// Laws
// 1. No number is shown that the player did not send: silence or a lost stream turns every pool neutral.
// 2. Time is the page's own monotonic clock; no date is read.
// 3. What is on the page can be read from it: data-pool, data-state, data-amount-minor, data-target-minor, data-hit.
// 4. Frames are drawn only while something rolls.

import { Odometer } from "./odometer.js";
import { Roll } from "./roll.js";

const SILENCE_MS = 3000; // the player speaks at least every second
const WATCH_MS = 500;
const REPORT_MS = 1000;
const REFUSED_MS = 2000;
const DRIFT_MS = 10000;
const DRIFT_PART = 0.006; // of the screen's shorter side, either way: less than its margin

const still = matchMedia("(prefers-reduced-motion: reduce)");
const sign = document.getElementById("sign");
const pools = new Map();
const hits = new Map();
let page = null; // what the player calls this page
let build = null;
let heardMs = performance.now();
let framing = false;

function element(parent, name, className) {
  const made = document.createElement(name);
  made.className = className;
  parent.append(made);
  return made;
}

// How wide a text is at most, in ems: Chinese is wider than letters.
function emsOf(text) {
  return [...text].reduce((sum, letter) => sum + (letter > "\u2fff" ? 1.1 : 0.76), 1);
}

// Set a line's text, and tell the style sheet how wide it is.
function write(line, text) {
  if (line.textContent === text) return;
  line.textContent = text;
  line.style.setProperty("--ems", emsOf(text).toFixed(2));
}

class Pool {
  constructor(id) {
    this.box = element(document.getElementById("pools"), "section", "pool");
    this.box.dataset.pool = id;
    const face = element(this.box, "div", "face");
    this.name = element(face, "h1", "name");
    this.odometer = new Odometer(element(element(face, "div", "amount"), "div", "odometer"));
    this.neutral = element(face, "p", "neutral");
    this.note = element(face, "p", "note");
    this.levels = element(face, "ul", "levels");
    this.roll = null;
    this.said = { pool: id, state: "neutral" };
    this.hide();
  }

  show(view) {
    write(this.name, view.name);
    write(this.neutral, view.neutral);
    write(this.note, view.note);
    this.#list(view.levels);
    this.box.dataset.turn = view.turn ? "on" : "off";
    if (view.state === "neutral") {
      this.hide();
      return;
    }
    this.#aim(BigInt(view.minor), 10n ** BigInt(view.exponent));
    this.odometer.shape(view.format, String(this.roll.target / this.roll.unit).length);
    this.said = { pool: view.pool, state: view.state, epoch: view.epoch, seq: view.seq };
    this.box.dataset.state = view.state;
    this.box.dataset.targetMinor = String(this.roll.target);
    this.draw();
  }

  #aim(minor, unit) {
    if (this.roll === null || this.roll.unit !== unit) this.roll = new Roll(minor, unit);
    else if (still.matches) this.roll.cut(minor);
    else this.roll.aim(minor, performance.now());
  }

  #list(levels) {
    const text = JSON.stringify(levels);
    if (this.listed === text) return;
    this.listed = text;
    this.levels.replaceChildren();
    for (const [tier, prize] of levels) {
      const line = element(this.levels, "li", "level");
      element(line, "span", "tier").textContent = tier;
      element(line, "span", "prize").textContent = prize;
    }
  }

  // The neutral face: no number, not even a hidden one.
  hide() {
    this.roll = null;
    this.odometer.shape({ symbol: "" }, 0);
    this.said = { pool: this.said.pool, state: "neutral" };
    this.box.dataset.state = "neutral";
    delete this.box.dataset.amountMinor;
    delete this.box.dataset.targetMinor;
  }

  draw() {
    this.odometer.turn(this.roll.whole, this.roll.part);
    this.box.dataset.amountMinor = String(this.roll.minor);
  }

  frame(nowMs) {
    if (this.roll === null || !this.roll.moving) return false;
    this.roll.frame(nowMs);
    this.draw();
    return this.roll.moving;
  }
}

class Hit {
  constructor(id) {
    this.box = element(document.getElementById("hits"), "article", "hit");
    this.box.dataset.hit = id;
    element(this.box, "div", "rays");
    this.lines = ["name", "tier", "prize", "places", "state"].map((name) => element(this.box, "p", name));
  }

  show(view) {
    this.box.dataset.hitState = view.state;
    this.box.dataset.hitPool = view.pool;
    this.box.dataset.stage = view.stage ? "on" : "off";
    const texts = [view.name, view.tier, view.prize, view.places, view.word];
    texts.forEach((text, at) => write(this.lines[at], text));
    this.box.style.setProperty("--ems", emsOf(texts.join("  ")).toFixed(2));
  }
}

// Bring a map of things on the page to what is said of them: new ones made, gone ones taken away.
function follow(things, views, key, make) {
  const wanted = new Set(views.map((view) => view[key]));
  for (const [id, thing] of things) {
    if (wanted.has(id)) continue;
    thing.box.remove();
    things.delete(id);
  }
  for (const view of views) {
    if (!things.has(view[key])) things.set(view[key], make(view[key]));
    things.get(view[key]).show(view);
  }
}

function show(view) {
  follow(pools, view.pools, "pool", (id) => new Pool(id));
  follow(hits, view.hits, "hit", (id) => new Hit(id));
  if (!framing) {
    framing = true;
    requestAnimationFrame(frame);
  }
}

function frame(nowMs) {
  framing = false;
  for (const pool of pools.values()) framing = pool.frame(nowMs) || framing;
  if (framing) requestAnimationFrame(frame);
}

function hideAll() {
  for (const pool of pools.values()) pool.hide();
  follow(hits, [], "hit");
}

function report() {
  if (page === null) return;
  const shown = [...pools.values()].map((pool) => ({
    ...pool.said,
    minor: pool.roll === null ? null : String(pool.roll.minor),
  }));
  fetch("shown", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ page, pools: shown }),
  }).catch(hideAll); // nobody is there to listen, so nothing is there to show
}

function drift(step) {
  const reach = Math.min(innerWidth, innerHeight) * DRIFT_PART;
  const x = Math.sin(step * 0.61) * reach;
  const y = Math.cos(step * 0.37) * reach;
  sign.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}

// A browser asks again by itself after a break, but never after a refusal, as from a player that has pages enough.
function listen() {
  const stream = new EventSource("events");
  stream.addEventListener("page", (event) => {
    const said = JSON.parse(event.data);
    if (build !== null && build !== said.build) location.reload();
    page = said.page;
    build = said.build;
  });
  stream.addEventListener("message", (event) => {
    heardMs = performance.now();
    show(JSON.parse(event.data));
  });
  stream.addEventListener("error", () => {
    hideAll();
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, REFUSED_MS);
  });
}

listen();
setInterval(() => {
  if (performance.now() - heardMs > SILENCE_MS) hideAll();
}, WATCH_MS);
setInterval(report, REPORT_MS);
let steps = 0;
drift(steps);
setInterval(() => {
  steps += 1;
  drift(steps);
}, DRIFT_MS);
