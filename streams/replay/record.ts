import { map, startWith, type OperatorFunction } from 'rxjs'
import type { Scale, Tick } from '../types.ts'
import { formatRow, recordingHeader } from './format.ts'

/** Records a live tick stream, line by line, in the format that the venue and {@link replayTicks} can replay. */
export function recordTicks(scale: Scale): OperatorFunction<Tick, string> {
  return (tick$) =>
    tick$.pipe(
      map((tick) => formatRow(tick, scale)),
      startWith(recordingHeader),
    )
}
