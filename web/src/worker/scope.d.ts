/** What a service worker finds around it, as far as ours needs it: the types of pages do not know it. */
interface Waiting extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetching extends Waiting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Pushed extends Waiting {
  readonly data: { json(): unknown } | null;
}
interface NotificationClicked extends Waiting {
  readonly action: string;
  readonly notification: Notification;
}
interface SubscriptionChanged extends Waiting {
  readonly oldSubscription: PushSubscription | null;
  readonly newSubscription: PushSubscription | null;
}
interface WindowOfOurs {
  readonly url: string;
  focus(): Promise<WindowOfOurs>;
  navigate(url: string): Promise<WindowOfOurs | null>;
}
interface WorkerEvents {
  install: Waiting;
  activate: Waiting;
  fetch: Fetching;
  push: Pushed;
  notificationclick: NotificationClicked;
  pushsubscriptionchange: SubscriptionChanged;
}
interface WorkerScope {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled?: boolean }): Promise<WindowOfOurs[]>;
    openWindow(url: string): Promise<WindowOfOurs | null>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<K extends keyof WorkerEvents>(name: K, listener: (event: WorkerEvents[K]) => void): void;
}
