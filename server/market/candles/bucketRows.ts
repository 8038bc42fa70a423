import { minuteMs } from '../../../contract/time.ts'
import type { MinuteBucket } from './minuteBuckets.ts'
import { ByteReader, ByteWriter } from '../log/packing.ts'

/** Packs the buckets of one minute of many products: pairs of `ix` and the bucket. */
export function packMinute(buckets: readonly { ix: number; bucket: MinuteBucket }[]): Buffer {
  const writer = new ByteWriter(buckets.length * 32)
  for (const { ix, bucket } of buckets) {
    writer.uint(ix)
    writeBucket(writer, bucket)
  }
  return writer.finish()
}

export function unpackMinute(openAt: number, data: Uint8Array): { ix: number; bucket: MinuteBucket }[] {
  const reader = new ByteReader(data)
  const buckets: { ix: number; bucket: MinuteBucket }[] = []
  while (!reader.done) buckets.push({ ix: reader.uint(), bucket: readBucket(reader, openAt) })
  return buckets
}

/** Packs the minutes of one product's hour: pairs of the minute's index in the hour and the bucket. */
export function packHour(hourAt: number, buckets: readonly MinuteBucket[]): Buffer {
  const writer = new ByteWriter(buckets.length * 32)
  for (const bucket of buckets) {
    writer.uint((bucket.openAt - hourAt) / minuteMs)
    writeBucket(writer, bucket)
  }
  return writer.finish()
}

export function unpackHour(hourAt: number, data: Uint8Array): MinuteBucket[] {
  const reader = new ByteReader(data)
  const buckets: MinuteBucket[] = []
  while (!reader.done) buckets.push(readBucket(reader, hourAt + reader.uint() * minuteMs))
  return buckets
}

function writeBucket(writer: ByteWriter, bucket: MinuteBucket): void {
  const { open, high, low, close, volume, turnover, lastSeq } = bucket
  writer.uint(open)
  writer.uint(high - open)
  writer.uint(open - low)
  writer.int(close - open)
  writer.uint(volume.high)
  writer.uint(volume.low)
  writer.uint(turnover.high)
  writer.uint(turnover.low)
  writer.int(lastSeq)
}

function readBucket(reader: ByteReader, openAt: number): MinuteBucket {
  const open = reader.uint()
  return {
    openAt,
    open,
    high: open + reader.uint(),
    low: open - reader.uint(),
    close: open + reader.int(),
    volume: { high: reader.uint(), low: reader.uint() },
    turnover: { high: reader.uint(), low: reader.uint() },
    lastSeq: reader.int(),
  }
}
