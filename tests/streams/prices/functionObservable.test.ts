import { map, type Subscriber } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FunctionObservable, FunctionSubject, shared } from '../../../streams/prices/functionObservable.ts'

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

describe('FunctionSubject', () => {
  it('emits to whoever is subscribed when a value comes', () => {
    const subject = new FunctionSubject<number>()
    const received: string[] = []
    const first = subject.subscribe((value) => {
      received.push(`a${value}`)
      if (value === 1) subject.subscribe((next) => received.push(`b${next}`))
    })
    subject.next(1)
    subject.next(2)
    first.unsubscribe()
    subject.next(3)
    expect(received).toEqual(['a1', 'a2', 'b2', 'b3'])
  })

  it('completes its subscribers', () => {
    const subject = new FunctionSubject<number>()
    let completed = 0
    subject.subscribe({ complete: () => completed++ })
    subject.complete()
    expect([completed, subject.isObserved]).toEqual([1, false])
  })
})

describe('shared', () => {
  it('has one source while anybody is subscribed, and starts it again later', () => {
    let emit: ((value: number) => void) | undefined
    const runs: string[] = []
    const source$ = shared<number>((next) => {
      emit = next
      runs.push('start')
      return { unsubscribe: () => runs.push('stop') }
    })
    const received: number[] = []
    const both = [1, 10].map((factor) => source$.subscribe((value) => received.push(value * factor)))
    emit?.(1)
    both[0]?.unsubscribe()
    emit?.(2)
    both[1]?.unsubscribe()
    expect([received, runs]).toEqual([
      [1, 10, 20],
      ['start', 'stop'],
    ])
    source$.subscribe()
    expect(runs).toEqual(['start', 'stop', 'start'])
  })
})
