import { useLanguage } from "../src/lib/i18n.svelte";

await useLanguage("en");
