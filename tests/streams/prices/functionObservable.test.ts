import { map, type Subscriber } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FunctionObservable } from '../../../streams/prices/functionObservable.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function source() {
  let subscriber: Subscriber<number> | undefined
  let released = 0
  const source$ = new FunctionObservable<number>((own) => {
    subscriber = own
    return () => released++
  })
  return { source$, emit: (value: number) => subscriber?.next(value), released: () => released }
}

describe('FunctionObservable', () => {
  it('calls a function until it is unsubscribed, and then releases the source', () => {
    const { source$, emit, released } = source()
    const received: number[] = []
    const subscription = source$.subscribe((value) => received.push(value))
    emit(1)
    emit(2)
    expect([subscription.closed, released()]).toEqual([false, 0])
    subscription.unsubscribe()
    emit(3)
    expect(received).toEqual([1, 2])
    expect([subscription.closed, released()]).toEqual([true, 1])
  })

  it('works with observers and operators', () => {
    const { source$, emit } = source()
    const received: number[] = []
    source$.pipe(map((value) => value * 10)).subscribe({ next: (value) => received.push(value) })
    emit(1)
    expect(received).toEqual([10])
  })

  it('reports an error of the function later, and goes on', () => {
    const { source$, emit } = source()
    const received: number[] = []
    source$.subscribe((value) => {
      received.push(value)
      if (value === 1) throw new RangeError('one')
    })
    emit(1)
    emit(2)
    expect(received).toEqual([1, 2])
    expect(() => vi.runAllTimers()).toThrow('one')
  })
})
