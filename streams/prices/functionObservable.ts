import { Observable, Subscriber, type Observer, type Subscription } from 'rxjs'

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
