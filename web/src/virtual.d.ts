declare module "virtual:icons/ui" {
  export const bodies: Record<string, string>;
  export const names: Record<string, string>;
}
declare module "virtual:icons/cards" {
  export const bodies: Record<string, string>;
  export const names: Record<string, string>;
}
