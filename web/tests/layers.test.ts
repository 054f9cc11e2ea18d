import { afterEach, beforeEach, expect, it, vi } from "vitest";

let state: unknown = null;
const go = vi.fn();
const back = (to: unknown) => {
  state = to;
  dispatchEvent(new PopStateEvent("popstate"));
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  state = null;
  vi.spyOn(history, "state", "get").mockImplementation(() => state);
  vi.spyOn(history, "pushState").mockImplementation((next) => void (state = next));
  vi.spyOn(history, "go").mockImplementation(go);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  go.mockClear();
});

const loaded = async () => (await import("../src/lib/layers")).layers;

it("closes no dialog by a step of its own that comes late, and takes no second one", async () => {
  const layers = await loaded();
  const [first, second] = [vi.fn(), vi.fn()];
  const close = layers.add(first);
  await vi.advanceTimersByTimeAsync(0);
  expect(state).toEqual({ layer: 1 });
  close();
  await vi.advanceTimersByTimeAsync(0);
  layers.add(second);
  await vi.advanceTimersByTimeAsync(1800);
  expect(go.mock.calls).toEqual([[-1]]);
  back(null);
  expect([first.mock.calls.length, second.mock.calls.length, state]).toEqual([0, 0, { layer: 1 }]);
  back(null);
  expect(second).toHaveBeenCalledOnce();
});

it("notices a step that nobody told of", async () => {
  const layers = await loaded();
  const close = layers.add(vi.fn());
  await vi.advanceTimersByTimeAsync(0);
  close();
  await vi.advanceTimersByTimeAsync(0);
  state = null;
  const free = vi.fn();
  layers.whenNone(free);
  await vi.advanceTimersByTimeAsync(400);
  expect(free).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(free).toHaveBeenCalledOnce();
});
