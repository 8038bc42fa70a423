import { Observable, Subscriber, type Observer, type Subscription, type Unsubscribable } from 'rxjs'

/** A subscriber that only calls a function. */
class FunctionSubscriber<T> extends Subscriber<T> {
  readonly call: (value: T) => void

  constructor(call: (value: T) => void) {
    super()
    this.call = call
  }

  override next(value: T): void {
    if (!this.closed) callSafely(this.call, value)
  }
}

/** An error of a subscriber is reported and does not stop the source, as everywhere in RxJS. */
export function callSafely<T>(call: (value: T) => void, value: T): void {
  try {
    call(value)
  } catch (error) {
    setTimeout(() => {
      throw error
    })
  }
}

/**
 * What a source calls for each value, with {@link callSafely}: the function of an only subscriber itself. The source
 * must call it again when its subscribers change.
 */
export function callOf<T>(subscribers: readonly Subscriber<T>[]): (value: T) => void {
  const [only] = subscribers
  if (subscribers.length === 1 && only instanceof FunctionSubscriber) return only.call as (value: T) => void
  return (value) => {
    for (const subscriber of subscribers) subscriber.next(value)
  }
}

/**
 * An Observable for sources that emit to thousands of functions in turn. RxJS puts three objects between source and
 * function; at 5,000 products, each is a cache miss per emission, and they cost twice as much as all the rest
 * (tests/bench/hub.bench.ts). Here it is none, or one if there are more subscribers.
 */
export class FunctionObservable<T> extends Observable<T> {
  override subscribe(observer?: Partial<Observer<T>> | ((value: T) => void) | null): Subscription {
    return super.subscribe(
      typeof observer === 'function' ? new FunctionSubscriber(observer) : (observer ?? {}),
    )
  }
}

/** A Subject without an object between its source and a subscriber. */
export class FunctionSubject<T> extends FunctionObservable<T> {
  #subscribers: readonly Subscriber<T>[] = []
  #call: (value: T) => void = () => undefined

  constructor() {
    super((subscriber) => {
      this.#set([...this.#subscribers, subscriber])
      return () => this.#set(this.#subscribers.filter((other) => other !== subscriber))
    })
  }

  get isObserved(): boolean {
    return this.#subscribers.length > 0
  }

  next(value: T): void {
    callSafely(this.#call, value)
  }

  complete(): void {
    for (const subscriber of this.#subscribers) subscriber.complete()
  }

  #set(subscribers: readonly Subscriber<T>[]): void {
    this.#subscribers = subscribers
    this.#call = callOf(subscribers)
  }
}

/** Like `share()`, and as short: the source starts with the first subscriber and is stopped after the last. */
export function shared<T>(start: (emit: (value: T) => void) => Unsubscribable): Observable<T> {
  const subject = new FunctionSubject<T>()
  let running: Unsubscribable | undefined
  return new FunctionObservable<T>((subscriber) => {
    subject.subscribe(subscriber)
    running ??= start((value) => subject.next(value))
    return () => {
      if (subject.isObserved) return
      running?.unsubscribe()
      running = undefined
    }
  })
}
