/** What the tab of the browser says. */
class Title {
  /** Whether somebody is waited for who looks at another tab. */
  turn = $state(false);
  /** More than the name of the page, such as who plays. */
  detail = $state("");
}

export const title = new Title();
