"use strict";
// The page around textual-serve's terminal (xterm.js). When the window has loaded, the terminal
// attaches to each `.textual-terminal`, connects to its URL and fits the window. It does not report
// titles, bells and disconnects, so this script listens on the websocket itself.

const COLUMNS = 80, ROWS = 24;       // enough for every screen of the app
const FEWEST = [60, 20];             // columns and rows below which the app only waits
const WIDE = 0.605, HIGH = 1.36;     // size of a cell, relative to the font size
const AROUND = 8;                    // px around the cells
const SMALLEST = 10, LARGEST = 16;   // px of font size in a window
const ON_PHONES = 14;                // px on a phone, before the page is scaled to the screen
const BAR = 64;                      // px of the keys below the table on a phone, before scaling
const STEP = 2;                      // px that a key for larger or smaller letters changes
const SAID = 6000;                   // ms that a line of the page stays
const BACK = 2000;                   // ms until a page whose connection is lost tries again
const ASK = 20000, WAIT = 10000;     // ms between pings to the server, and for its answer

const ENDS = {
  1000: "This visit is over. Your matches are kept.",
  1001: "The server has closed. Your matches are kept.",
};

const isPhone = matchMedia("(pointer: coarse)").matches;
const at = (id) => document.getElementById(id);
const Line = window.WebSocket;
let box = null, line = null, sound = null;
let terminal = null;                 // xterm.js's; textual-serve keeps it to itself

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
      if (isPhone) setTimeout(showKeys, 100);  // after the terminal has drawn it
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
  const chosen = Number(localStorage.getItem("font"));
  if (chosen) return Math.min(chosen, fitting(...FEWEST));
  return Math.max(SMALLEST, Math.min(LARGEST, fitting(COLUMNS, ROWS)));
}

function fitting(columns, rows) {
  const [wide, high] = [innerWidth - AROUND, innerHeight - AROUND];
  return Math.floor(Math.min(wide / (columns * WIDE), high / (rows * HIGH)));
}

function larger(by) {
  const wanted = Number(terminal.options.fontSize) + by;
  const size = Math.max(SMALLEST - STEP, Math.min(wanted, fitting(...FEWEST)));
  localStorage.setItem("font", size);
  terminal.options.fontSize = size;
  dispatchEvent(new Event("resize"));  // makes the terminal fit
}

function fillScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

// A phone scales the page's declared width to its screen: declare one with room for the columns,
// and in landscape for the rows.
function fitPage() {
  const ratio = screen.width / screen.height;
  const sideways = matchMedia("(orientation: landscape)").matches;
  const shape = sideways === ratio > 1 ? ratio : 1 / ratio;
  const [wide, high] = [COLUMNS * WIDE * ON_PHONES + AROUND, ROWS * HIGH * ON_PHONES + AROUND + BAR];
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
  catchTerminal();
  dispatchEvent(new Event("load"));  // makes the terminal attach
  terminal.options.macOptionClickForcesSelection = true;
  readAloud(sessionStorage.getItem("aloud") === "yes");
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
  if (wasOpen && !ENDS[code]) setTimeout(comeBack, BACK);
}

// A phone that slept, or moved to another network, comes back by itself once it is looked at.
async function comeBack() {
  if (at("gone").hidden) return;
  if (!document.hidden) await comeAgain();
  if (!at("gone").hidden) setTimeout(comeBack, BACK);
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

// textual-serve sets `this.terminal` in its constructor, and has no other way to it.
function catchTerminal() {
  Object.defineProperty(Object.prototype, "terminal", {
    configurable: true,
    set(value) {
      delete Object.prototype.terminal;
      this.terminal = terminal = value;
    },
  });
}

// --- clipboard, screen readers ----------------------------------------------------------------

// Browsers give a clipboard only to pages from https and localhost. Elsewhere the older way copies.
const OLDER = {
  readText: async () => "",
  writeText: async (text) => {
    const field = document.createElement("textarea"), before = document.activeElement;
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    before.focus();
  },
};

async function paste() {
  const text = await navigator.clipboard.readText().catch(() => "");
  if (text) terminal.paste(text);
  else say("The browser does not let this page read the clipboard. Press ctrl+v instead.");
  input().focus();
}

function copy() {
  const text = terminal.getSelection();
  if (text) navigator.clipboard.writeText(text);
  say(text ? "Copied." : "Mark a text first: drag with shift held (on a Mac with option).");
}

function readAloud(isWanted) {
  terminal.options.screenReaderMode = isWanted;
  sessionStorage.setItem("aloud", isWanted ? "yes" : "no");
}

function say(text) {
  at("said").textContent = text;
  clearTimeout(say.until);
  say.until = setTimeout(() => { at("said").textContent = ""; }, SAID);
}

const OURS = {                       // with alt+shift
  KeyS: () => {
    readAloud(!terminal.options.screenReaderMode);
    say(`Screen reader mode is ${terminal.options.screenReaderMode ? "on" : "off"}.`);
  },
  KeyF: fillScreen,
  KeyC: copy,
  KeyV: paste,
  ArrowUp: () => larger(STEP),
  ArrowDown: () => larger(-STEP),
};

// What is not for the app is kept from the terminal: our keys, and the browser's copy and paste.
function onKey(event) {
  if (terminal === null) return;
  const isControl = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  if (event.altKey && event.shiftKey && !event.ctrlKey && OURS[event.code]) {
    event.preventDefault();
    OURS[event.code]();
  } else if (!isControl || !(event.key === "v" || event.key === "c" && terminal.hasSelection())) {
    return;
  }
  event.stopImmediatePropagation();
}

// --- keys on a phone --------------------------------------------------------------------------

const SENT = {
  "←": "\x1b[D", "↑": "\x1b[A", "↓": "\x1b[B", "→": "\x1b[C", Enter: "\r", Esc: "\x1b",
  Space: " ", Tab: "\t", PgUp: "\x1b[5~", PgDn: "\x1b[6~", F1: "\x1bOP",
};
const ALWAYS = ["←", "↑", "↓", "→", "Enter", "Esc"];

// The app's last row names the keys of the moment: `Enter choose   h host a table   q quit`.
function keysNow() {
  const last = terminal.buffer.active.getLine(terminal.rows - 1);
  const named = (last ? last.translateToString(true) : "").trim().split(/ {3,}/);
  const found = named.map((one) => /^(\S+) (\S.*)$/.exec(one)).filter(Boolean);
  return found.map(([, key, does]) => [key, does]).filter(([key]) => SENT[key] || key.length === 1);
}

function showKeys() {
  const now = keysNow(), does = Object.fromEntries(now);
  const keys = [...new Set([...ALWAYS, ...now.map(([key]) => key)])];
  const text = keys.map((key) => `${key} ${does[key] || ""}`.trim());
  if (text.join() === showKeys.last) return;
  showKeys.last = text.join();
  const send = (key) => () => terminal.input(SENT[key] || key);
  const buttons = keys.map((key, place) => buttonOf(text[place], send(key)));
  if (isSecureContext) buttons.push(buttonOf("Paste", paste));
  if (document.fullscreenEnabled) buttons.push(buttonOf("Full screen", fillScreen));
  at("keys").replaceChildren(...buttons);
}

function buttonOf(text, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("pointerdown", (event) => event.preventDefault());  // keeps the focus
  button.addEventListener("click", act);
  return button;
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
  if (!navigator.clipboard) Object.defineProperty(navigator, "clipboard", { value: OLDER });
  addEventListener("keydown", onKey, { capture: true });
  for (const kind of ["pointerdown", "keydown"])  // browsers allow sound only after user input
    addEventListener(kind, () => { sound = sound || new AudioContext(); }, { capture: true });
  addEventListener("pagehide", () => { if (line) line.leave(); });  // browsers may cache the page
  addEventListener("pageshow", (event) => { if (event.persisted) begin(); });
  at("again").addEventListener("click", comeAgain);
  if (isPhone) {
    fitPage();
    document.body.classList.add("phone");
    at("keys").hidden = false;
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
