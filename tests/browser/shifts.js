// Runs in the page before anything else: what moves on the page without anybody having touched it.
(() => {
  window.shifts = [];
  const name = (node) => {
    const element = node?.nodeType === 1 ? node : node?.parentElement;
    return element ? `${element.tagName.toLowerCase()}.${element.className}` : "?";
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      const { x, y } = entry.sources[0]?.currentRect ?? {};
      window.shifts.push({ value: entry.value, what: entry.sources.map((each) => name(each.node)).join(", "), at: `${x}, ${y}` });
    }
  }).observe({ type: "layout-shift", buffered: true });
})();
