import { map, startWith } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { Scale } from '../backfill.ts'
import type { Tick } from '../types.ts'
import { formatRow, recordingHeader } from './format.ts'

/** Writes a live tick stream down, line by line, as a recording that the venue and {@link replayTicks} can play. */
export function recordTicks(scale: Scale): OperatorFunction<Tick, string> {
  return (tick$) =>
    tick$.pipe(
      map((tick) => formatRow(tick, scale)),
      startWith(recordingHeader),
    )
}
