import { describe, expect, it } from 'vitest'
import { simpleQuery } from '../../../../server/platform/db/embeddedSession.ts'
import { FrontendMessageParser } from '../../../../server/platform/db/frontendMessages.ts'
import { fc } from '../../../support/fastCheck.ts'

const startup = untyped(196_608, 'user\0postgres\0\0')
const ssl = untyped(80_877_103, '')
const parse = typed('P', '\0SELECT 1\0\0\0')
const bind = typed('B', '\0\0\0\0\0\0\0\0')
const sync = typed('S', '')
const query = Buffer.from(simpleQuery('SELECT 1'))
const terminate = typed('X', '')

describe('FrontendMessageParser', () => {
  it('ends a batch where the server has to answer', () => {
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

  it('holds back an extended query without its Sync', () => {
    const parser = new FrontendMessageParser()
    parser.push(startup)
    expect(parser.push(Buffer.concat([parse, bind]))).toEqual([])
    expect(parser.push(sync).map(plain)).toEqual([
      { kind: 'messages', hex: Buffer.concat([parse, bind, sync]).toString('hex') },
    ])
  })

  it('does not take a cancel request for a start-up packet', () => {
    expect(new FrontendMessageParser().push(untyped(80_877_102, 'pid_key_'))).toEqual([{ kind: 'cancel' }])
  })

  it('returns the same batches however the bytes are split', () => {
    const stream = Buffer.concat([ssl, startup, query, parse, bind, sync, query, terminate])
    const whole = new FrontendMessageParser().push(stream).map(plain)
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), stream.length]
        const parser = new FrontendMessageParser()
        const batches = ends.flatMap((end, i) => parser.push(stream.subarray(ends[i - 1] ?? 0, end)))
        expect(batches.map(plain)).toEqual(whole)
      }),
    )
  })
})

function plain(batch: ReturnType<FrontendMessageParser['push']>[number]): object {
  return 'bytes' in batch ? { kind: batch.kind, hex: Buffer.from(batch.bytes).toString('hex') } : batch
}

function typed(letter: string, body: string): Buffer {
  const message = Buffer.from(`${letter}\0\0\0\0${body}`)
  message.writeInt32BE(message.length - 1, 1)
  return message
}

function untyped(code: number, body: string): Buffer {
  const message = Buffer.from(`\0\0\0\0\0\0\0\0${body}`)
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(code, 4)
  return message
}
