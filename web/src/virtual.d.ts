declare module "virtual:icons/ui" {
  export const bodies: Record<string, string>;
  export const names: Record<string, string>;
}
declare module "virtual:icons/cards" {
  export const bodies: Record<string, string>;
  export const names: Record<string, string>;
}
declare module "virtual:languages" {
  interface Spoken {
    name: string;
    /** Numbers of things that are told in the singular. */
    one: number[];
    load: () => Promise<{ default: Record<string, string> }>;
    /** What only those parts say that are loaded later. */
    loadPages: () => Promise<{ default: Record<string, string> }>;
  }
  const languages: Record<import("./lib/protocol").Language, Spoken>;
  export default languages;
}
declare module "virtual:texts/en" {
  const texts: Record<string, string>;
  export default texts;
}
declare module "virtual:texts/en/pages" {
  const texts: Record<string, string>;
  export default texts;
}
