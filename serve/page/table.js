"use strict";
// The page around textual-serve's terminal (xterm.js). When the window has loaded, the terminal
// attaches to each `.textual-terminal`, connects to its URL and fits the window. It does not report
// titles, bells and disconnects, so this script listens on the websocket itself.

const COLUMNS = 80, ROWS = 24;       // enough for every screen of the app
const WIDE = 0.605, HIGH = 1.36;     // size of a cell, relative to the font size
const AROUND = 8;                    // px around the cells
const SMALLEST = 10, LARGEST = 16;   // px of font size in a window
const ON_PHONES = 14;                // px on a phone, before the page is scaled to the screen
const ASK = 20000, WAIT = 10000;     // ms between pings to the server, and for its answer

const ENDS = {
  1000: "This visit is over. Your matches are kept.",
  1001: "The server has closed. Your matches are kept.",
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

// --- layout -----------------------------------------------------------------------------------

function fontSize() {
  if (isPhone) return ON_PHONES;
  const [wide, high] = [innerWidth - AROUND, innerHeight - AROUND];
  const fits = Math.min(wide / (COLUMNS * WIDE), high / (ROWS * HIGH));
  return Math.floor(Math.max(SMALLEST, Math.min(LARGEST, fits)));
}

// A phone scales the page's declared width to its screen: declare one with room for the columns,
// and in landscape for the rows.
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
  at("doing").textContent = "The server prepares your table …";
  if (box) box.remove();
  box = document.createElement("div");
  box.className = "textual-terminal behind";
  box.dataset.sessionWebsocketUrl = `${location.protocol.replace("http", "ws")}//${location.host}/line`;
  box.dataset.fontSize = fontSize();
  document.body.append(box);
  dispatchEvent(new Event("load"));  // makes the terminal attach
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
    ? "The server is gone, or the connection is lost. Your matches are kept."
    : "The server does not answer.";
  at("why").textContent = ENDS[code] || cut;
  at("loading").hidden = true;
  box.classList.remove("behind");
  at("gone").hidden = false;
  at("again").focus();
}

async function comeAgain() {
  at("why").textContent = "Asking whether the server is there …";
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

// On a phone a tap selects. The keyboard would cover half of the table, so it opens on request.
function keyboard(isWanted) {
  input().inputMode = isWanted ? "text" : "none";
  input().blur();
  input().focus();
}

// --- start ------------------------------------------------------------------------------------

function load(script) {
  return new Promise((done, fail) => {
    const element = document.createElement("script");
    Object.assign(element, { src: script, onload: done, onerror: fail });
    document.head.append(element);
  });
}

async function prepare() {
  window.WebSocket = Heard;
  for (const kind of ["pointerdown", "keydown"])  // browsers allow sound only after user input
    addEventListener(kind, () => { sound = sound || new AudioContext(); }, { capture: true });
  addEventListener("pagehide", () => { if (line) line.leave(); });  // browsers may cache the page
  addEventListener("pageshow", (event) => { if (event.persisted) begin(); });
  at("again").addEventListener("click", comeAgain);
  if (isPhone) {
    fitPage();
    matchMedia("(orientation: landscape)").addEventListener("change", fitPage);
    at("keyboard").hidden = false;
    at("keyboard").addEventListener("click", () => keyboard(input().inputMode === "none"));
  }
  await new Promise((done) => addEventListener("load", done));  // `begin` sends the terminal's own
  try {
    await Promise.all([load("xterm.js"), document.fonts.load("16px 'Roboto Mono'")]);
  } catch {
    at("doing").textContent = "The terminal could not be loaded. Open this page again.";
    return;
  }
  begin();
}

prepare();
