/** How the deals of days and weeks are named. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
export const WEEK = /^(\d{4})-W(\d{2})$/;

/** Whether an address names the deal of a day or a week. */
export function isDeal(deal: string): boolean {
  return DAY.test(deal) || WEEK.test(deal);
}
