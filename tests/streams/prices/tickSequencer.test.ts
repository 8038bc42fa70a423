import { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { TickSequencer } from '../../../streams/prices/tickSequencer.ts'
import type { TickRun } from '../../../streams/index.ts'
import { marbles } from '../../support/marbles.ts'
import { runOfPrices } from '../../support/tickRuns.ts'

/** A sequencer in sync after tick 5 that receives the frames of the marbles; its gaps are counted, not filled. */
function sequencerOf(frame$: Observable<TickRun>) {
  const gaps: number[] = []
  const host = { onSequenceGap: ({ seq }: TickSequencer) => gaps.push(seq), onChange: () => undefined }
  const sequencer = new TickSequencer('A', host)
  sequencer.onSubscribed('all', 5)
  const receive = (run: TickRun): void => sequencer.receive(run)
  frame$.subscribe(receive)
  const run$ = new Observable<TickRun>((subscriber) => {
    sequencer.add(subscriber)
    return () => sequencer.remove(subscriber)
  })
  return { sequencer, receive, run$, gaps }
}

const runs = {
  s: runOfPrices(6),
  a: runOfPrices(6, 101, 102),
  b: runOfPrices(8, 103),
  c: runOfPrices(9, 104),
  t: runOfPrices(8),
}

describe('TickSequencer', () => {
  it('emits one run per frame to each subscriber, who starts where it subscribed', () =>
    marbles(({ hot, expectObservable }) => {
      const { run$ } = sequencerOf(hot('--a--b--c', runs))
      expectObservable(run$).toBe('s-a--b--c', runs)
      expectObservable(run$, '---^---!').toBe('---t-b--', runs)
      expectObservable(run$, '^--!').toBe('s-a-', runs)
    }))

  it('emits a repeated frame once, and of an overlapping one only the new ticks', () =>
    marbles(({ hot, expectObservable }) => {
      const { run$ } = sequencerOf(hot('-a-a-o', { ...runs, o: runOfPrices(7, 102, 103) }))
      expectObservable(run$).toBe('sa---b', runs)
    }))

  it('queues the frames after a gap until it is filled', () =>
    marbles(({ hot, cold, expectObservable, flush }) => {
      const { sequencer, run$, gaps } = sequencerOf(hot('-b--c', runs))
      cold('------a', runs).subscribe((run) => {
        sequencer.fill(run)
        sequencer.drain()
      })
      expectObservable(run$).toBe('s-----(abc)', runs)
      flush()
      expect([gaps, sequencer.phase, sequencer.seq]).toEqual([[5], 'live', 9])
    }))

  it('restarts its subscribers if the gap cannot be filled', () =>
    marbles(({ hot, cold, expectObservable }) => {
      const { sequencer, run$ } = sequencerOf(hot('-b', runs))
      cold('---x').subscribe(() => sequencer.restart(8))
      expectObservable(run$).toBe('s--(tb)', runs)
    }))

  it('has the newest price and the one before it, of one run or two', () => {
    const { sequencer, receive } = sequencerOf(new Observable())
    receive(runs.a)
    expect([sequencer.newestSeq, sequencer.newestPrice, sequencer.previousPrice]).toEqual([7, 102, 101])
    receive(runs.b)
    expect([sequencer.newestSeq, sequencer.newestPrice, sequencer.previousPrice]).toEqual([8, 103, 102])
  })
})
