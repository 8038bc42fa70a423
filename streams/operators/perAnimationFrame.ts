import { Observable, Subscription, type MonoTypeOperatorFunction } from 'rxjs'

/** Calls `publish` on the next animation frame after a request. */
export type FrameRequest = {
  /** Requests a frame, unless one is requested already. */
  request: () => void
  cancel: () => void
}

/** @param animationFrame$ emits at least once per subscription, at the next animation frame */
export function createFrameRequest(animationFrame$: Observable<unknown>, publish: () => void): FrameRequest {
  let frame = Subscription.EMPTY
  const onFrame = (): void => {
    frame.unsubscribe()
    publish()
  }
  return {
    request: () => {
      if (frame.closed) frame = animationFrame$.subscribe(onFrame)
    },
    cancel: () => frame.unsubscribe(),
  }
}

/** Emits the newest value once per animation frame; a frame is only requested while there is a value to emit. */
export function perAnimationFrame<T>(animationFrame$: Observable<unknown>): MonoTypeOperatorFunction<T> {
  return (source$) =>
    new Observable<T>((subscriber) => {
      let pending: { value: T } | undefined
      const publish = (): void => {
        const newest = pending
        pending = undefined
        if (newest) subscriber.next(newest.value)
      }
      const frame = createFrameRequest(animationFrame$, publish)
      subscriber.add(() => frame.cancel())
      subscriber.add(
        source$.subscribe({
          next: (value) => {
            pending = { value }
            frame.request()
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => {
            publish()
            subscriber.complete()
          },
        }),
      )
    })
}
