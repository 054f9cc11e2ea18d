import { quintOut } from "svelte/easing";
import { crossfade, fade } from "svelte/transition";
import { motion } from "./settings.svelte";

/** Cards fly from where they leave to where they arrive; what comes from a pile fades in. */
export const [send, receive] = crossfade({
  duration: (distance) => motion(Math.min(700, 250 + distance * 0.4)),
  easing: quintOut,
  fallback: (node) => fade(node, { duration: motion(250) }),
});
