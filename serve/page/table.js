"use strict";
// The page around textual-serve's terminal (xterm.js). When the window has loaded, the terminal
// attaches to each `.textual-terminal`, connects to its URL and fits the window. It does not report
// titles, bells and disconnects, so this script listens on the websocket itself.

const SIDEWAYS = [80, 24];           // columns and rows: enough for every screen of the app
const UPRIGHT = [60, 20];            // for its upright layout, with larger letters
const FEWEST = [40, 15];             // below these the app only waits
const WIDE = 0.6001, HIGH = 1.34;    // size of a cell, relative to the font size
const SMALLEST = 10, LARGEST = 16;   // px of font size, unless somebody chooses another
const LEAST = 7;                     // px that can be chosen
const STEP = 2;                      // px that a key for larger or smaller letters changes
const SAID = 6000;                   // ms that a line of the page stays
const BACK = 2000;                   // ms until a page whose connection is lost tries again
const ASK = 20000, WAIT = 10000;     // ms between pings to the server, and for its answer
const LEFT = 1000, LOST = 4000;      // codes that tell the server to end the app, or to wait

const ENDS = {
  1000: "This visit is over. Your matches are kept.",
  1001: "The server has closed. Your matches are kept.",
};

const isPhone = matchMedia("(pointer: coarse)").matches;
const at = (id) => document.getElementById(id);
const Line = window.WebSocket;
let box = null, line = null, sound = null;
let terminal = null;                 // xterm.js's; textual-serve keeps it to itself
let owner = null;                    // textual-serve's object around it
let got = 0;                         // bytes from the app: after a lost connection it sends the rest
let isLost = false;                  // the connection, until this page has another
const page = crypto.getRandomValues(new Uint8Array(16)).join("");

class Heard extends Line {
  constructor(address) {
    super(`${address}&page=${page}&got=${isLost ? got : ""}`);
    line = this;
    this.wasOpen = this.hasEnded = false;
    this.late = setTimeout(() => this.end(0), WAIT);
    this.addEventListener("open", () => this.begin());
    this.addEventListener("message", (event) => this.hear(event.data));
    this.addEventListener("close", (event) => this.end(event.code));
  }

  begin() {
    this.wasOpen = true;
    this.pause();
    this.asking = setInterval(() => this.ask(), ASK);
  }

  ask() {
    this.send(JSON.stringify(["ping", ""]));
    this.late = this.late || setTimeout(() => this.end(0), WAIT);
  }

  hear(said) {
    this.pause();
    if (typeof said !== "string") {
      if (isLost) beBack("Your table was closed meanwhile. Its match is kept: continue it here.");
      got += said.byteLength;
      show();
      if (isPhone) setTimeout(showKeys, 100);  // after the terminal has drawn it
      return;
    }
    const [what, text] = JSON.parse(said);
    if (what === "again") beBack();
    if (what === "title") document.title = text || "Kumite";
    if (what === "bell") ring();
  }

  pause() {
    clearTimeout(this.late);
    this.late = 0;
  }

  leave(code) {
    clearInterval(this.asking);
    this.pause();
    this.hasEnded = true;
    this.close(code);
  }

  end(code) {
    if (this.hasEnded) return;
    this.leave(LOST);
    if (!ENDS[code] && (this.wasOpen || isLost)) lose(this.wasOpen);
    else sayGone(ENDS[code] || "The server does not answer.");
  }
}

// --- layout -----------------------------------------------------------------------------------

const isUpright = () => box.clientHeight > box.clientWidth;
const keptFont = () => isUpright() ? "font upright" : "font";

function fontSize() {
  const chosen = Number(localStorage.getItem(keptFont()));
  const usual = Math.min(LARGEST, fitting(...(isUpright() ? UPRIGHT : SIDEWAYS)));
  return Math.min(chosen || Math.max(SMALLEST, usual), fitting(...FEWEST));
}

// The terminal rounds a cell down to whole pixels of the screen.
function fitting(columns, rows) {
  const most = Math.min(box.clientWidth / columns, box.clientHeight / rows * WIDE / HIGH);
  return Math.floor(most * devicePixelRatio + 0.01) / devicePixelRatio / WIDE + 0.1;
}

function fit() {
  terminal.options.fontSize = fontSize();
  dispatchEvent(new Event("resize"));  // makes the terminal fit
}

function larger(by) {
  localStorage.setItem(keptFont(), Math.max(LEAST, terminal.options.fontSize + by));
  fit();
  localStorage.setItem(keptFont(), terminal.options.fontSize);  // not more than fits
}

function fillScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

// What is seen of the page: a phone's keyboard covers its lower part.
function fillView() {
  if (visualViewport.scale > 1.01) return;  // two fingers have enlarged it
  document.body.style.height = `${visualViewport.height}px`;
  document.body.style.top = `${visualViewport.offsetTop}px`;
}

// --- beginning and end ------------------------------------------------------------------------

async function begin() {
  at("gone").hidden = true;
  at("loading").hidden = false;
  document.title = "Kumite";
  at("doing").textContent = "The server prepares your table …";
  isLost = false;
  got = 0;
  if (box) box.remove();
  box = document.createElement("div");
  box.className = "textual-terminal behind";
  box.dataset.sessionWebsocketUrl = `${location.protocol.replace("http", "ws")}//${location.host}/line`;
  for (const kind of ["pointerdown", "keydown"])
    box.addEventListener(kind, after(() => {}), { capture: true });
  at("keys").before(box);
  box.dataset.fontSize = fontSize();
  catchTerminal();
  dispatchEvent(new Event("load"));  // makes the terminal attach
  terminal.options.macOptionClickForcesSelection = true;
  new ResizeObserver(fit).observe(box);
  readAloud(sessionStorage.getItem("aloud") === "yes");
  if (isPhone) keyboard(false);
}

function show() {
  if (at("loading").hidden) return;
  at("loading").hidden = true;
  box.classList.remove("behind");
  input().focus();
}

function sayGone(text, button = "Come in again") {
  isLost = false;
  at("why").textContent = text;
  at("again").textContent = button;
  say("");
  at("loading").hidden = true;
  box.classList.remove("behind");
  at("gone").hidden = false;
  at("again").focus();
}

// A phone that slept, or moved to another network, comes back by itself once it is looked at.
function lose(wasOpen) {
  const what = wasOpen
    ? "The connection is lost. Your table is kept, and this page connects again by itself …"
    : "The server does not answer yet. This page tries again every few seconds …";
  sayGone(what, "Try now");
  isLost = true;
  clearTimeout(lose.until);
  lose.until = setTimeout(comeBack, BACK);
}

function comeBack() {
  if (!isLost || !line.hasEnded) return;
  if (document.hidden) lose.until = setTimeout(comeBack, BACK);
  else owner.connect();
}

function beBack(news) {
  isLost = false;
  at("gone").hidden = true;
  input().focus();
  if (news) {  // from another app, which knows nothing of the screen
    got = 0;
    terminal.reset();
  }
  say(news || "Connected again.");
}

// Asks at once whether the connection is alive, when the page is looked at or the network is back.
function lookAlive() {
  if (isLost) comeBack();
  else if (line && !line.hasEnded && line.wasOpen && !document.hidden) line.ask();
}

async function comeAgain() {
  if (isLost) return comeBack();
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
      owner = this;
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
  const read = await navigator.clipboard.readText().catch(() => "");
  const text = read || isPhone && prompt("Paste your text here:");
  if (text) terminal.paste(text);
  else if (!isPhone) say("The browser does not let this page read the clipboard. Press ctrl+v instead.");
  input().focus();
}

function copy() {
  if (isPhone) terminal.selectAll();  // fingers mark nothing
  const text = terminal.getSelection();
  if (isPhone) terminal.clearSelection();
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
const IN_A_ROW = ["←", "↓", "↑", "→", "Enter", "Esc"];
const IN_THREE_COLUMNS = ["←", "↑", "→", "Esc", "↓", "Enter"];
const sideways = matchMedia("(orientation: landscape)");
const TYPING = "F1";                 // the app names this key only while it awaits a text
let isMore = false;                  // the bar shows the page's own keys

// The app's last row names the keys of the moment: `Enter choose   h host a table   q quit`, some of
// them together: `← → change`. The messages above it name others: `y: yes   x: no`, `c shows it`.
const MESSAGES = [4, 3, 2];          // rows from below
const NAMED = /^((?:[←→↑↓] )*\S+) (\S.*)$/;
const IN_MESSAGE = /(?:^| )(\S)(?:: | (?=shows? ))(\S+(?: \S+)*)/g;
const FRAME = /[│┃|]/;               // a panel's: its row is no message

function keysNow() {
  const row = (up) => {
    const found = terminal.buffer.active.getLine(terminal.rows - up);
    return (found ? found.translateToString(true) : "").trim();
  };
  const said = MESSAGES.map(row).filter((one) => !FRAME.test(one));
  const named = row(1).split(/ {3,}/).map((one) => NAMED.exec(one)).filter(Boolean);
  const found = [...said.flatMap((one) => [...one.matchAll(IN_MESSAGE)]), ...named];
  const each = found.flatMap(([, keys, does]) => keys.split(" ").map((key) => [key, does]));
  return each.filter(([key]) => SENT[key] || key.length === 1);
}

function showKeys() {
  const does = new Map(keysNow());
  const always = sideways.matches ? IN_THREE_COLUMNS : IN_A_ROW;
  const now = isMore ? [] : [...does.keys()].filter((key) => !always.includes(key));
  const shown = [...always, ...now].map((key) => [key, does.get(key)]);
  const all = [isMore, ...shown].join();
  if (all === showKeys.last) return;   // a finger may be on one of them
  showKeys.last = all;
  if (does.has(TYPING) !== showKeys.types) keyboard(showKeys.types = does.has(TYPING));
  const [first, more] = [shown.slice(0, always.length), shown.slice(always.length)];
  const press = (key) => after(() => terminal.input(SENT[key] || key));
  const appKey = ([key, said]) => buttonOf(key, said, press(key));
  at("keys").replaceChildren(
    ...first.map(appKey),
    buttonOf("⋯", "", () => { isMore = !isMore; showKeys(); }, "Keys of the page"),
    buttonOf("abc", "", () => keyboard(input().inputMode === "none"), "Show the keyboard"),
    ...more.map(appKey),
    ...(isMore ? pageKeys() : []),
  );
}

// The page's keys stay until something is pressed: not only another screen changes the last row,
// also one that is half drawn, as after a change of the letters' size.
function after(act) {
  return () => { if (isMore) { isMore = false; showKeys(); } act(); };
}

function pageKeys() {
  return [
    buttonOf("A−", "smaller", after(() => larger(-STEP))),
    buttonOf("A+", "larger", after(() => larger(STEP))),
    buttonOf("Copy", "the screen", after(copy)),
    buttonOf("Paste", "a text", after(paste)),
    ...(document.fullscreenEnabled ? [buttonOf("Full", "screen", after(fillScreen))] : []),
  ];
}

function buttonOf(key, does, act, name = "") {
  const button = document.createElement("button"), small = document.createElement("small");
  button.type = "button";
  small.textContent = does || "";
  button.append(key, ...(does ? [" ", small] : []));
  if (name) button.setAttribute("aria-label", name);
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

// On a phone a tap selects. The keyboard would cover half of the table, so it opens for a text, and
// on request.
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
  addEventListener("pagehide", () => { if (line) line.leave(LEFT); });  // browsers may cache the page
  addEventListener("pageshow", (event) => { if (event.persisted) begin(); });
  at("again").addEventListener("click", comeAgain);
  addEventListener("online", lookAlive);
  document.addEventListener("visibilitychange", lookAlive);
  for (const kind of ["resize", "scroll"]) visualViewport.addEventListener(kind, fillView);
  fillView();
  at("keys").hidden = !isPhone;
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
