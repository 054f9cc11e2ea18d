// Runs in the page before anything else: remembers the page's own WebSocket and can play through it.
(() => {
  const probe = { state: null, socket: null, left: 0, acts: 0, refused: [], seed: 20260, done: -1 };
  window.probe = probe;
  const random = (n) => {
    probe.seed = (probe.seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((probe.seed / 2147483648) * n);
  };
  const step = () => {
    const state = probe.state;
    if (!state || probe.left <= 0 || state.status !== "playing" || !state.choices.length || state.version === probe.done) return;
    probe.done = state.version;
    probe.left -= 1;
    probe.acts += 1;
    const action = state.choices[random(state.choices.length)].action;
    probe.socket.send(JSON.stringify({ type: "act", version: state.version, action }));
  };
  /** Choose at random whenever asked, so many times. */
  probe.play = (times) => {
    probe.left = times;
    probe.done = -1;
    step();
  };
  window.WebSocket = class extends window.WebSocket {
    constructor(...args) {
      super(...args);
      probe.socket = this;
      this.addEventListener("message", (event) => {
        const message = JSON.parse(event.data);
        if (message.type === "state") {
          probe.state = message;
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
