import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { simpleQuery } from '../../../server/db/embeddedSession.ts'
import { FrontendMessageParser } from '../../../server/db/frontendMessages.ts'

const startup = untyped(196_608, 'user\0postgres\0\0')
const ssl = untyped(80_877_103, '')
const parse = typed('P', '\0SELECT 1\0\0\0')
const bind = typed('B', '\0\0\0\0\0\0\0\0')
const sync = typed('S', '')
const query = Buffer.from(simpleQuery('SELECT 1'))
const terminate = typed('X', '')

describe('cutting what a client sends', () => {
  it('a batch ends where the server has to answer', () => {
    const batches = new FrontendMessageParser().push(
      Buffer.concat([ssl, startup, query, parse, bind, sync, terminate]),
    )
    expect(batches.map(plain)).toEqual([
      { kind: 'ssl' },
      { kind: 'startup', hex: startup.toString('hex') },
      { kind: 'messages', hex: query.toString('hex') },
      { kind: 'messages', hex: Buffer.concat([parse, bind, sync]).toString('hex') },
      { kind: 'terminate' },
    ])
  })

  it('an extended query without its Sync is held back', () => {
    const frames = new FrontendMessageParser()
    frames.push(startup)
    expect(frames.push(Buffer.concat([parse, bind]))).toEqual([])
    expect(frames.push(sync).map(plain)).toEqual([
      { kind: 'messages', hex: Buffer.concat([parse, bind, sync]).toString('hex') },
    ])
  })

  it('a cancel request is known and not taken for a start', () => {
    expect(new FrontendMessageParser().push(untyped(80_877_102, 'pid_key_'))).toEqual([{ kind: 'cancel' }])
  })

  it('the pieces the bytes come in do not matter', () => {
    const stream = Buffer.concat([ssl, startup, query, parse, bind, sync, query, terminate])
    const whole = new FrontendMessageParser().push(stream).map(plain)
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), stream.length]
        const frames = new FrontendMessageParser()
        const pieces = ends.flatMap((end, at) => frames.push(stream.subarray(ends[at - 1] ?? 0, end)))
        expect(pieces.map(plain)).toEqual(whole)
      }),
    )
  })
})

function plain(batch: ReturnType<FrontendMessageParser['push']>[number]): object {
  return 'bytes' in batch ? { kind: batch.kind, hex: Buffer.from(batch.bytes).toString('hex') } : batch
}

function typed(letter: string, body: string): Buffer {
  const frame = Buffer.from(`${letter}\0\0\0\0${body}`)
  frame.writeInt32BE(frame.length - 1, 1)
  return frame
}

function untyped(code: number, body: string): Buffer {
  const frame = Buffer.from(`\0\0\0\0\0\0\0\0${body}`)
  frame.writeInt32BE(frame.length, 0)
  frame.writeInt32BE(code, 4)
  return frame
}
