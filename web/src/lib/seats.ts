import type { TableCreated } from "./protocol";
import { router } from "./router.svelte";
import { load, save } from "./storage";

/** Seat tokens are kept per table, so that the address without a token is enough on this device. */
export function keepToken(table: string, token: string | null): void {
  if (token) save(`seat.${table}`, token);
}

export function tokenOf(table: string): string | null {
  return load(`seat.${table}`);
}

export function forgetToken(table: string): void {
  save(`seat.${table}`, null);
}

/** An invitation is kept until its seat is taken, so that the address without it is enough. */
export function keepInvitation(table: string, token: string | null): void {
  save(`invitation.${table}`, token);
}

export function invitationTo(table: string): string | null {
  return load(`invitation.${table}`);
}

/** Sit down at a table that has just been made or joined. */
export function enter(made: TableCreated): void {
  keepToken(made.table, made.seat_token);
  router.go(`/table/${made.table}`);
}
