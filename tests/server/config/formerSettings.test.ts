import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readSettings, SettingsError } from '../../../server/config.ts'
import { formatVerifierKey, parseVerifierKey } from '../../../contract/tlog/note.ts'
import { configFile } from '../../support/configFile.ts'

const folder = mkdtempSync(join(tmpdir(), 'former-'))
afterAll(() => rm(folder, { recursive: true }))

const [upload, idempotency, log] = ['ab'.repeat(32), 'cd'.repeat(32), 'ef'.repeat(32)]
const keys = { UPLOAD_KEY: upload, IDEMPOTENCY_KEY: idempotency, LOG_KEY: log }
const cluster = { DATABASE_URL: 'postgres://h/d', BUS_URL: 'nats://h', DESK_KEY: 'sixteen-letters1' }
const now = (name: string, where: string): string =>
  `${name}: former setting, read in this release only; now ${where}`
const inFile = (field: string): string => `${field} of CONFIG_FILE`
const cosigner = formatVerifierKey('w.test', 'cosignature', new Uint8Array(32))
const venueKey = 'VENUE_KEY: the upload, idempotency and log key with colons between them'

/** Variables of the release before, what a start reads of them, and where each of them is now. */
const rows: [Record<string, string>, object, string[]][] = [
  [
    { ...keys, ...cluster },
    { uploadKey: upload, idempotencyKey: idempotency, logKey: log, isOneKey: false, role: 'auto' },
    [now('UPLOAD_KEY, IDEMPOTENCY_KEY, LOG_KEY', venueKey)],
  ],
  [
    { UPLOAD_KEY: upload, IDEMPOTENCY_KEY: idempotency },
    { uploadKey: upload, idempotencyKey: idempotency, logKey: null },
    [now('UPLOAD_KEY, IDEMPOTENCY_KEY', venueKey)],
  ],
  [
    { ROLE: 'auto', VENUE_KEY: upload, ...cluster },
    { role: 'auto', busUrl: 'nats://h' },
    [now('ROLE=auto', 'BUS_URL without ROLE')],
  ],
  [
    { ROLE: 'all', BUS_URL: 'nats://h' },
    { role: 'all', busUrl: null },
    [now('ROLE=all', 'a start without ROLE and BUS_URL')],
  ],
  [
    { SOURCE_CHANGE: 'refund' },
    { refundChangedSources: true },
    [now('SOURCE_CHANGE', 'the option --refund-changed-sources of npm start')],
  ],
  [
    { DESK_KEY_CHANGE: 'replace' },
    { backOfficeKeyChange: true },
    [now('DESK_KEY_CHANGE', 'the option --new-desk-key of npm start')],
  ],
  [
    { RECORDINGS_DIR: 'tapes', CLOSED_PAUSE_MS: '0', OPENING_CODE: 'club-9', PRACTICE_BALANCE: '5.00' },
    { recordingsDir: resolve('tapes'), closedPauseMs: 0, openingCode: 'club-9', practiceBalance: 500 },
    [
      now('RECORDINGS_DIR', inFile('practice.recordings')),
      now('CLOSED_PAUSE_MS', inFile('practice.closedPauseMs')),
      now('OPENING_CODE', inFile('practice.openingCode')),
      now('PRACTICE_BALANCE', inFile('practice.balance')),
    ],
  ],
  [
    { FOUR_EYES: 'on', WITHDRAWAL_REST_HOURS: '12', TICKS_KEEP_H: '1', DISK_FREE_MIN_MB: '0' },
    { fourEyes: 'on', withdrawalRestMs: 43_200_000, tickRetentionMs: 3_600_000, uploadsFreeMinBytes: 0 },
    [
      now('FOUR_EYES', inFile('practice.fourEyes')),
      now('WITHDRAWAL_REST_HOURS', inFile('withdrawalRestHours')),
      now('TICKS_KEEP_H', inFile('ticksKeptHours')),
      now('DISK_FREE_MIN_MB', inFile('diskFreeMinMb')),
    ],
  ],
  [
    { CURRENCY: 'EUR', ZONE: 'Europe/Paris' },
    { currency: 'EUR', zone: 'Europe/Paris' },
    [now('CURRENCY', inFile('currency')), now('ZONE', inFile('zone'))],
  ],
  [
    { LOG_WITNESSES: `https://w.test/ ${cosigner}, http://v.test ${cosigner}` },
    {
      logWitnesses: ['https://w.test', 'http://v.test'].map((url) => ({
        url,
        key: parseVerifierKey(cosigner),
        keyText: cosigner,
      })),
    },
    [now('LOG_WITNESSES', inFile('logWitnesses'))],
  ],
  [
    {
      EXCHANGE_URL_BINANCE: 'ws://127.0.0.1:1',
      EXCHANGE_URL_BINANCE_USDM: 'ws://127.0.0.1:2',
      EXCHANGE_URL_COINBASE: 'ws://127.0.0.1:3',
      EXCHANGE_URL_KRAKEN: 'ws://127.0.0.1:4',
      EXCHANGE_URL_OANDA: 'http://127.0.0.1:5',
    },
    {
      exchanges: {
        urls: {
          binance: 'ws://127.0.0.1:1',
          'binance-usdm': 'ws://127.0.0.1:2',
          coinbase: 'ws://127.0.0.1:3',
          kraken: 'ws://127.0.0.1:4',
          oanda: 'http://127.0.0.1:5',
        },
      },
    },
    [
      now('EXCHANGE_URL_BINANCE', inFile('exchangeAddresses.binance')),
      now('EXCHANGE_URL_BINANCE_USDM', inFile('exchangeAddresses.binance-usdm')),
      now('EXCHANGE_URL_COINBASE', inFile('exchangeAddresses.coinbase')),
      now('EXCHANGE_URL_KRAKEN', inFile('exchangeAddresses.kraken')),
      now('EXCHANGE_URL_OANDA', inFile('exchangeAddresses.oanda')),
    ],
  ],
]

describe('the settings of the release before', () => {
  it.each(rows)('are read, and a start says what they are now: %j', (env, settings, warnings) => {
    const read = readSettings(env)
    expect(read).toMatchObject(settings)
    expect(read.formerSettings).toEqual(warnings)
  })

  it('may be given beside what they are now, if both say the same', () => {
    const file = configFile(folder, { practice: { balance: '5.00' } }, 'same.json')
    const env = { CONFIG_FILE: file, PRACTICE_BALANCE: '5.00' }
    expect(readSettings(env)).toMatchObject({ practiceBalance: 500 })
    expect(readSettings({ ...keys, VENUE_KEY: `${upload}:${idempotency}:${log}` }).logKey).toBe(log)
    expect(readSettings({ SOURCE_CHANGE: 'refund' }, { refundChangedSources: true })).toMatchObject({
      refundChangedSources: true,
    })
  })

  const file = configFile(folder, { practice: { balance: '6.00' } }, 'other.json')
  it.each<[Record<string, string>, string]>([
    [
      { CONFIG_FILE: file, PRACTICE_BALANCE: '5.00' },
      `PRACTICE_BALANCE and practice.balance of CONFIG_FILE ${file} differ: leave PRACTICE_BALANCE out`,
    ],
    [{ UPLOAD_KEY: upload, VENUE_KEY: log }, 'UPLOAD_KEY and VENUE_KEY differ: leave UPLOAD_KEY out'],
    [{ PRACTICE_BALANCE: 'lots' }, 'PRACTICE_BALANCE: practice.balance must be money with two decimals'],
    [{ TICKS_KEEP_H: 'x' }, 'TICKS_KEEP_H: ticksKeptHours must be a whole number from 1 to'],
    [{ UPLOAD_KEY: 'xyz' }, 'UPLOAD_KEY: VENUE_KEY must be 64 hexadecimal characters'],
    [{ LOG_WITNESSES: 'https://w.test' }, 'LOG_WITNESSES: logWitnesses.0.key must be a verifier key'],
    [{ SOURCE_CHANGE: 'keep' }, 'SOURCE_CHANGE must be refund'],
    [{ DESK_KEY_CHANGE: '1' }, 'DESK_KEY_CHANGE must be replace'],
    [{ ROLE: 'auto' }, 'ROLE=auto needs BUS_URL'],
    [
      { ...cluster, ROLE: 'auto', UPLOAD_KEY: upload, IDEMPOTENCY_KEY: idempotency },
      'BUS_URL needs all three keys in VENUE_KEY',
    ],
    [
      { DATABASE_URL: 'postgres://h/d', DATABASE_DIRECT_URL: 'postgres://h/d' },
      'DATABASE_DIRECT_URL is gone, as the venue no longer works behind a pooler',
    ],
  ])('stop a start that cannot use them, with one line: %j', (env, line) => {
    const read = (): unknown => readSettings(env)
    expect(read).toThrow(SettingsError)
    expect(read).toThrow(line)
    expect(read).not.toThrow('\n')
  })
})
