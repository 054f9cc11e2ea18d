// Runs in the page before anything else: remembers the page's own WebSocket and can play through it.
(() => {
  const probe = { state: null, socket: null, left: 0, acts: 0, refused: [], seed: 20260, done: -1, thrifty: false, stop: null, at: 0 };
  window.probe = probe;
  const random = (n) => {
    probe.seed = (probe.seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((probe.seed / 2147483648) * n);
  };
  /** At random, or like somebody who builds up something: the cheapest card that can be laid. */
  const choose = (choices) => {
    const lays = choices.filter((choice) => choice.price !== null && !choice.onto).sort((a, b) => a.price - b.price);
    if (!probe.thrifty) return choices[random(choices.length)];
    return lays[0] ?? choices.find((choice) => choice.verb === "pass") ?? choices[random(choices.length)];
  };
  const step = () => {
    const state = probe.state;
    if (!state || probe.left <= 0 || state.status !== "playing" || !state.choices.length || state.version === probe.done) return;
    if (probe.stop?.(state)) {
      probe.left = 0;
      return;
    }
    probe.done = state.version;
    probe.left -= 1;
    probe.acts += 1;
    const { action } = choose(state.choices);
    probe.socket.send(JSON.stringify({ type: "act", version: state.version, action }));
  };
  /** Choose whenever asked, so many times, or until the state is such that one should stop. */
  probe.play = (times, thrifty, stop) => {
    probe.left = times;
    probe.thrifty = thrifty;
    probe.stop = stop;
    probe.done = -1;
    step();
  };
  /** The page shows quick states one after the other: only then has it shown them all. */
  probe.isQuiet = () => performance.now() - probe.at > 60 && (probe.state.status !== "playing" || probe.state.choices.length > 0);
  /** Patches are applied in the plainest way, beside the page's own. */
  const apply = (state, { serial, patch }) => {
    for (const { op, path, value } of patch) {
      const keys = path.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
      const last = keys.pop();
      const place = keys.reduce((inner, key) => inner[key], state);
      if (!Array.isArray(place)) op === "remove" ? delete place[last] : (place[last] = value);
      else if (op === "replace") place[last] = value;
      else place.splice(last === "-" ? place.length : Number(last), op === "remove" ? 1 : 0, ...(op === "add" ? [value] : []));
    }
    state.serial = serial;
  };
  window.WebSocket = class extends window.WebSocket {
    constructor(...args) {
      super(...args);
      probe.socket = this;
      this.addEventListener("message", (event) => {
        const message = JSON.parse(event.data);
        if (message.type === "state" || message.type === "patch") {
          if (message.type === "state") probe.state = message;
          else apply(probe.state, message);
          probe.at = performance.now();
          step();
        } else if (message.type === "error") {
          // after "stale" the state comes again
          if (message.code === "stale") probe.left += 1;
          else probe.refused.push(message);
          probe.done = -1;
        }
      });
    }
  };
})();
