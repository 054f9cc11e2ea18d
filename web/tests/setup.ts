import { useLanguage, withTexts } from "../src/lib/i18n.svelte";

globalThis.fetch = () => Promise.reject(new TypeError("There is no server here."));
await useLanguage("en");
await withTexts(Promise.resolve());
