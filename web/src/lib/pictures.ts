/** What a picture of a part of the game shows: three cards by colour and pictogram. */
export const PICTURES: Record<string, readonly (readonly [tint: string, icon: string])[]> = {
  first: [["worker", "gold_miner"], ["building", "market"], ["noble", "controller"]],
  market: [["market", "good_chicken"], ["orange", "good_apple"], ["market", "good_fish"]],
  banquet: [["purple", "pick_pocket"], ["purple", "banquet"], ["purple", "golden_donkey"]],
  good_company: [["building", "coffee_house"], ["noble", "mayor"], ["worker", "october_revolution"]],
  assistants: [["building", "architect"], ["exchange", "czars_daughter"], ["noble", "lawyer"]],
  events: [["exchange", "event"], ["exchange", "chicken_special"], ["exchange", "warehouse"]],
  assignments: [["exchange", "assignment"], ["noble", "assignment"], ["building", "assignment"]],
  obstacles: [["exchange", "obstacle"], ["worker", "lumberjack"], ["exchange", "observatory"]],
};
