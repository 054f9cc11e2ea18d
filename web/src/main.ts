import { mount } from "svelte";
import App from "./App.svelte";
import { useLanguage } from "./lib/i18n.svelte";
import { settings } from "./lib/settings.svelte";
import { registerWorker } from "./lib/worker";
import "./styles/base.css";

// after an update of the server the old parts of the page are gone: load the new page, but not in a circle
addEventListener("vite:preloadError", (event) => {
  if (!navigator.onLine) return;
  const last = Number(sessionStorage.getItem("nevsky.reloaded") ?? 0);
  if (Date.now() - last < 10_000) return;
  sessionStorage.setItem("nevsky.reloaded", String(Date.now()));
  event.preventDefault();
  location.reload();
});

const target = document.getElementById("app");
if (!target) throw new Error("The page has no place for the application.");
settings.dress(document.documentElement);
await useLanguage(settings.language).catch(() => useLanguage("en"));
mount(App, { target });
if (document.readyState === "complete") registerWorker();
else addEventListener("load", registerWorker);
