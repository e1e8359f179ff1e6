"use strict";
// Around the terminal, which is textual-serve's (xterm.js): it takes each `.textual-terminal` when
// the window has loaded, connects it to its address, fits it into the window, and tells nothing of
// titles, bells and ends. So those are heard on the line itself.

const COLUMNS = 80, ROWS = 24;       // what every screen of the app fits into
const WIDE = 0.605, HIGH = 1.36;     // a cell, in sizes of the font
const AROUND = 8;                    // px beside the cells
const SMALLEST = 10, LARGEST = 16;   // px of the font in a window
const ON_PHONES = 14;                // px there, before the browser fits the page into the screen
const ASK = 20000, WAIT = 10000;     // ms between questions to the house, and for its answer

const ENDS = {
  1000: "This visit is over. Your matches are kept.",
  1001: "The house has closed. Your matches are kept.",
};

const isPhone = matchMedia("(pointer: coarse)").matches;
const at = (id) => document.getElementById(id);
const Line = window.WebSocket;
let box = null, line = null, sound = null;

class Heard extends Line {
  constructor(address) {
    super(address);
    line = this;
    this.wasOpen = this.hasEnded = false;
    this.addEventListener("open", () => this.begin());
    this.addEventListener("message", (event) => this.hear(event.data));
    this.addEventListener("close", (event) => this.end(event.code));
  }

  begin() {
    this.wasOpen = true;
    this.asking = setInterval(() => this.ask(), ASK);
  }

  ask() {
    this.send(JSON.stringify(["ping", ""]));
    this.late = this.late || setTimeout(() => this.end(0), WAIT);
  }

  hear(said) {
    clearTimeout(this.late);
    this.late = 0;
    if (typeof said !== "string") {
      show();
      return;
    }
    const [what, text] = JSON.parse(said);
    if (what === "title") document.title = text || "Kumite";
    if (what === "bell") ring();
  }

  leave() {
    clearInterval(this.asking);
    clearTimeout(this.late);
    this.hasEnded = true;
    this.close();
  }

  end(code) {
    if (this.hasEnded) return;
    this.leave();
    sayGone(code, this.wasOpen);
  }
}

// --- its place --------------------------------------------------------------------------------

function fontSize() {
  if (isPhone) return ON_PHONES;
  const [wide, high] = [innerWidth - AROUND, innerHeight - AROUND];
  const fits = Math.min(wide / (COLUMNS * WIDE), high / (ROWS * HIGH));
  return Math.floor(Math.max(SMALLEST, Math.min(LARGEST, fits)));
}

// A phone shows the whole page, however wide that says it is: wide enough for the columns, and in
// a screen that is held sideways for the rows.
function fitPage() {
  const ratio = screen.width / screen.height;
  const sideways = matchMedia("(orientation: landscape)").matches;
  const shape = sideways === ratio > 1 ? ratio : 1 / ratio;
  const [wide, high] = [COLUMNS * WIDE * ON_PHONES + AROUND, ROWS * HIGH * ON_PHONES + AROUND];
  const width = Math.ceil(Math.max(wide, high * shape));
  const across = sideways === ratio > 1 ? screen.width : screen.height;
  document.querySelector("meta[name=viewport]").content =
    `width=${width}, initial-scale=${across / width}`;
}

// --- beginning and end ------------------------------------------------------------------------

async function begin() {
  at("gone").hidden = true;
  at("loading").hidden = false;
  document.title = "Kumite";
  at("doing").textContent = "The house prepares your table …";
  if (box) box.remove();
  box = document.createElement("div");
  box.className = "textual-terminal behind";
  box.dataset.sessionWebsocketUrl = `${location.protocol.replace("http", "ws")}//${location.host}/line`;
  box.dataset.fontSize = fontSize();
  document.body.append(box);
  dispatchEvent(new Event("load"));  // now the terminal takes its place
  if (isPhone) keyboard(false);
}

function show() {
  if (at("loading").hidden) return;
  at("loading").hidden = true;
  box.classList.remove("behind");
  input().focus();
}

function sayGone(code, wasOpen) {
  const cut = wasOpen
    ? "The house is gone, or the line to it is cut. Your matches are kept."
    : "The house does not answer.";
  at("why").textContent = ENDS[code] || cut;
  at("loading").hidden = true;
  box.classList.remove("behind");
  at("gone").hidden = false;
  at("again").focus();
}

async function comeAgain() {
  at("why").textContent = "Asking whether the house is there …";
  try {
    await fetch("/", { cache: "no-store" });
  } catch {
    at("why").textContent = "Nobody answers there yet. Try again in a while.";
    return;
  }
  begin();
}

// --- bell, keyboard ---------------------------------------------------------------------------

function ring() {
  if (sound === null || sound.state !== "running") return;
  const tone = sound.createOscillator(), volume = sound.createGain(), now = sound.currentTime;
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.08, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.25);
  tone.connect(volume).connect(sound.destination);
  tone.start(now);
  tone.stop(now + 0.25);
}

function input() {
  return box.querySelector(".xterm-helper-textarea");
}

// On a phone a tap chooses; its keyboard would cover half of the table, and comes when asked for.
function keyboard(isWanted) {
  input().inputMode = isWanted ? "text" : "none";
  input().blur();
  input().focus();
}

// --- from here --------------------------------------------------------------------------------

function load(script) {
  return new Promise((done, fail) => {
    const element = document.createElement("script");
    Object.assign(element, { src: script, onload: done, onerror: fail });
    document.head.append(element);
  });
}

async function prepare() {
  window.WebSocket = Heard;
  for (const kind of ["pointerdown", "keydown"])  // a browser lets sound begin by somebody's hand
    addEventListener(kind, () => { sound = sound || new AudioContext(); }, { capture: true });
  addEventListener("pagehide", () => { if (line) line.leave(); });  // the browser may keep the page
  addEventListener("pageshow", (event) => { if (event.persisted) begin(); });
  at("again").addEventListener("click", comeAgain);
  if (isPhone) {
    fitPage();
    matchMedia("(orientation: landscape)").addEventListener("change", fitPage);
    at("keyboard").hidden = false;
    at("keyboard").addEventListener("click", () => keyboard(input().inputMode === "none"));
  }
  await new Promise((done) => addEventListener("load", done));  // the terminal is told of its own
  try {
    await Promise.all([load("xterm.js"), document.fonts.load("16px 'Roboto Mono'")]);
  } catch {
    at("doing").textContent = "The terminal could not be loaded. Open this page again.";
    return;
  }
  begin();
}

prepare();
