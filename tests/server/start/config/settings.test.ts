import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../../server/start/config.ts'
import { SettingsError } from '../../../../server/platform/settingsError.ts'
import { startupWarnings } from '../../../../server/start/startupWarnings.ts'
import { configFile } from '../../../support/configFile.ts'
import { bankMethod } from '../../../support/payments.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
let files = 0
/** An environment with a CONFIG_FILE of these fields. */
const config = (fields: object) => ({
  CONFIG_FILE: configFile(folder, fields, `config-${(files += 1)}.json`),
})
const settingsError = (env: Record<string, string>): string => {
  try {
    readSettings(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return 'accepted'
}

it('defaults to practice mode on this machine', () => {
  const settings = readSettings({})
  expect(settings).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: null,
    trustProxy: false,
    databaseUrl: null,
    role: 'all',
    busUrl: null,
    mode: 'practice',
    feed: 'replay',
    closedPauseMs: 60_000,
    openingCode: 'UPTICK',
    practiceBalance: 1_000_000,
    currency: 'USD',
    zone: 'Asia/Shanghai',
    tickRetentionMs: 259_200_000,
    rateLimits: true,
    deskKey: null,
    deskKeyChange: false,
    refundChangedSources: false,
    metricsKey: null,
    deskRemote: false,
    uploadKey: null,
    idempotencyKey: null,
    logKey: null,
    logLevel: 'info',
    operatorConfig: { name: 'Uptick', serviceUrl: null, imageBaseHost: '', passwordSelfService: false },
  })
  expect(settings.recordingsDir).toMatch(/\/streams\/recordings$/)
  expect(settings.productsFile).toMatch(/\/server\/products\.json$/)
})

it('treats an empty setting as not set', () => {
  expect(readSettings({ PORT: '', FEED: '', DATABASE_URL: '', VENUE_KEY: '' })).toMatchObject({
    port: 8080,
    databaseUrl: null,
  })
})

const hex = '0'.repeat(64)
const live = {
  MODE: 'live',
  DATABASE_URL: 'postgres://h/d?sslmode=verify-full',
  PUBLIC_URL: 'https://venue.test',
  VENUE_KEY: '0'.repeat(64),
}
const cluster = {
  DATABASE_URL: 'postgres://h/d',
  BUS_URL: 'nats://h',
  VENUE_KEY: '0'.repeat(64),
  DESK_KEY: 'a-desk-key-of-16-characters',
}

it.each([
  [{ PORT: '0' }, { port: 0 }],
  [{ PUBLIC_URL: 'https://Venue.test/' }, { publicUrl: 'https://venue.test' }],
  [{ TRUST_PROXY: 'true' }, { trustProxy: 1 }],
  [{ TRUST_PROXY: '2' }, { trustProxy: 2 }],
  [{ TRUST_PROXY: '0' }, { trustProxy: false }],
  [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, { trustProxy: ['10.0.0.0/8', '::1'] }],
  [{ DATABASE_URL: 'postgres://u:p@h/d' }, { databaseUrl: 'postgres://u:p@h/d' }],
  [{ FEED: 'synthetic' }, { feed: 'synthetic' }],
  [live, { mode: 'live', feed: 'live', practiceBalance: 1_000_000, fourEyes: 'on', openingCode: null }],
  [{ ...live, FEED: 'live' }, { feed: 'live' }],
  [cluster, { role: 'auto', busUrl: 'nats://h' }],
  [
    { ...cluster, ROLE: 'edge' },
    { role: 'edge', busUrl: 'nats://h' },
  ],
  [{ METRICS_KEY: 'only-for-the-metrics' }, { metricsKey: 'only-for-the-metrics' }],
  [
    { PUSH_SERVICES: 'push.test, Autopush.own.example' },
    { pushServices: ['push.test', 'autopush.own.example'] },
  ],
  [
    {
      ...live,
      ...config({ exchangeAddresses: { binance: 'ws://127.0.0.1:9100', kraken: 'wss://gateway.test' } }),
    },
    { exchanges: { urls: { binance: 'ws://127.0.0.1:9100', kraken: 'wss://gateway.test' } } },
  ],
  [config({ practice: { closedPauseMs: 0 } }), { closedPauseMs: 0 }],
  [config({ practice: { balance: '0.00' } }), { practiceBalance: 0 }],
  [{}, { withdrawalRestMs: 0 }],
  [live, { withdrawalRestMs: 86_400_000 }],
  [config({ withdrawalRestHours: 12 }), { withdrawalRestMs: 43_200_000 }],
  [{ RATE_LIMITS: 'off' }, { rateLimits: false }],
  [config({ practice: { openingCode: 'club-9' } }), { openingCode: 'club-9' }],
  [config({ practice: { fourEyes: 'on' } }), { fourEyes: 'on' }],
  [config({ practice: { recordings: 'tapes' } }), { recordingsDir: join(folder, 'tapes') }],
  [config({ currency: 'EUR', zone: 'Europe/Paris' }), { currency: 'EUR', zone: 'Europe/Paris' }],
  [config({ diskFreeMinMb: 1 }), { uploadsFreeMinBytes: 1_048_576 }],
  [config({ ticksKeptHours: 1 }), { tickRetentionMs: 3_600_000 }],
  [
    { CONFIG_FILE: file('partial.json', '{"passwordSelfService":true}') },
    { operatorConfig: { name: 'Uptick', passwordSelfService: true, fund: { depositsPerDay: 5 } } },
  ],
  [{ CONFIG_FILE: file('marked.json', '\ufeff{"name":"Club"}') }, { operatorConfig: { name: 'Club' } }],
])('reads %j', (env, settings) => expect(readSettings(env as Record<string, string>)).toMatchObject(settings))

it.each([
  {
    ...cluster,
    DATABASE_URL: 'postgres://127.0.0.1:5432/d',
    BUS_URL: 'nats://a:b@localhost:4222,nats://[::1]:4223',
  },
  { DATABASE_URL: 'postgres:///d?host=/var/run/postgresql' },
  { ...cluster, DATABASE_URL: 'postgres://[::1]/d', BUS_URL: 'tls://bus.test?nkey=/etc/uptick/node.nk' },
  { ...cluster, BUS_URL: 'nats://bus.test?credentials=node.creds', INTERNAL_TLS: 'off' },
])('live mode accepts %j', (env) => expect(readSettings({ ...live, ...env }).mode).toBe('live'))

describe('an invalid setting', () => {
  it.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '80a' }, 'PORT must be a whole number from 0 to 65535'],
    [{ HOST: ' ' }, 'HOST'],
    [{ PUBLIC_URL: 'venue.test' }, 'PUBLIC_URL must be an http or https address'],
    [{ PUBLIC_URL: 'https://venue.test/app' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'ftp://venue.test' }, 'PUBLIC_URL'],
    [{ TRUST_PROXY: 'perhaps' }, 'TRUST_PROXY'],
    [{ DATABASE_URL: 'mysql://h/d' }, 'DATABASE_URL must begin with postgres://'],
    [{ ROLE: 'edge' }, 'ROLE=edge needs DATABASE_URL, BUS_URL, VENUE_KEY, DESK_KEY'],
    [{ BUS_URL: 'nats://h' }, 'BUS_URL needs DATABASE_URL, VENUE_KEY, DESK_KEY'],
    [{ ROLE: 'leader' }, 'ROLE must be edge, or left out'],
    [{ VENUE_KEY: 'ab' }, 'VENUE_KEY must be 64 hexadecimal characters'],
    [{ VENUE_KEY: `${hex}:${hex}` }, 'VENUE_KEY must be'],
    [{ VENUE_KEY: '::' }, 'VENUE_KEY must be'],
    [{ METRICS_KEY: 'short' }, 'METRICS_KEY must have 16 to 256 plain characters'],
    [
      { METRICS_KEY: 'the same key for both'.replaceAll(' ', '-'), DESK_KEY: 'the-same-key-for-both' },
      'METRICS_KEY must not be DESK_KEY',
    ],
    [config({ logWitnesses: [{ address: 'https://witness.test' }] }), 'logWitnesses.0.key is missing'],
    [
      config({
        logWitnesses: [
          {
            address: 'https://w.test',
            // Of signatures, not of cosignatures.
            key: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
          },
        ],
      }),
      'logWitnesses.0.key must be a verifier key',
    ],
    [{ BUS_URL: 'redis://h' }, 'BUS_URL must be nats:// or tls:// addresses'],
    [{ BUS_URL: 'nats://a,tls://b' }, 'BUS_URL must be nats:// or tls:// addresses'],
    [{ MODE: 'test' }, 'MODE must be practice or live'],
    [{ FEED: 'other' }, 'FEED must be replay or synthetic or live'],
    [config({ practice: { closedPauseMs: -1 } }), 'practice.closedPauseMs must be a whole number from 0 to'],
    [config({ practice: { openingCode: 'a b' } }), 'practice.openingCode must be 1 to 64'],
    [config({ practice: { balance: '10000' } }), 'practice.balance must be money'],
    [config({ practice: { balance: '-1.00' } }), 'practice.balance must be money'],
    [config({ currency: 'dollars' }), 'currency must be a currency code'],
    [config({ zone: 'Mars/Olympus' }), 'zone must be a time zone'],
    [config({ ticksKeptHours: 0 }), 'ticksKeptHours must be a whole number from 1 to'],
    [{ RATE_LIMITS: 'maybe' }, 'RATE_LIMITS must be on or off'],
    [{ DESK_KEY: 'short' }, 'DESK_KEY must have 16 to 256 plain characters'],
    [{ DESK_KEY: 'sixteen letters and a space' }, 'DESK_KEY must have 16 to 256 plain characters'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ CONFIG_FILE: '/nowhere/config.json' }, 'CONFIG_FILE /nowhere/config.json cannot be read'],
    [{ CONFIG_FILE: file('broken.json', '{') }, 'is not JSON'],
    [{ CONFIG_FILE: file('wide.json', '{\0"\0') }, 'cannot be read: it is UTF-16 text: save it as UTF-8'],
    [{ CONFIG_FILE: file('nameless.json', '{"name":""}') }, 'name'],
    [{ CONFIG_FILE: file('script.json', '{"name":"x","serviceUrl":"javascript:alert(1)"}') }, 'serviceUrl'],
    [
      { CONFIG_FILE: file('misspelt.json', '{"fund":{"depositsPerDy":3},"naem":"x"}') },
      'fund: unknown field `depositsPerDy`; did you mean `depositsPerDay`?; unknown field `naem`; did you mean `name`?',
    ],
    [
      { CONFIG_FILE: file('pale.json', '{"colours":{"light":{"accent":"#ffd400"}}}') },
      'colours.light.onAccent #ffffff has a contrast of 1.43 on #ffd400; it must have at least 4.5',
    ],
    [
      { CONFIG_FILE: file('above-words.json', '{"fourEyesAbove":"lots"}') },
      'fourEyesAbove must be money with two decimals',
    ],
    [
      { CONFIG_FILE: file('above-negative.json', '{"fourEyesAbove":"-1.00"}') },
      'fourEyesAbove must be money with two decimals',
    ],
    [
      { CONFIG_FILE: file('above-units.json', '{"fourEyesAbove":"1000"}') },
      'fourEyesAbove must be money with two decimals',
    ],
    [
      { CONFIG_FILE: file('above-number.json', '{"fourEyesAbove":1000}') },
      'fourEyesAbove must be money with two decimals',
    ],
    [
      { CONFIG_FILE: file('lines.json', '{"company":{"name":"A","address":"1 Road"}}') },
      'company.address must be a list of lines',
    ],
    [{ ...live, DATABASE_URL: '' }, 'MODE=live needs DATABASE_URL'],
    [{ ...live, FEED: 'replay' }, 'MODE=live needs FEED=live, or no FEED'],
    [{ ...live, PUBLIC_URL: 'http://venue.test' }, 'MODE=live needs an https PUBLIC_URL'],
    [{ ...live, ...config({ practice: { openingCode: 'X' } }) }, 'MODE=live takes no practice.openingCode'],
    [{ ...live, RATE_LIMITS: 'off' }, 'MODE=live takes no RATE_LIMITS=off'],
    [{ ...live, VENUE_KEY: '' }, 'MODE=live needs a VENUE_KEY'],
    [{ ...live, VENUE_KEY: '' }, 'MODE=live needs a VENUE_KEY'],
    [{ ...live, DATABASE_URL: 'postgres://h/d' }, 'DATABASE_URL must have sslmode=verify-full'],
    [
      { ...live, DATABASE_URL: 'postgres://h/d?sslmode=require' },
      'DATABASE_URL must have sslmode=verify-full',
    ],
    [{ ...live, DATABASE_URL: 'postgres://127.0.0.1/d?host=10.0.0.7' }, 'DATABASE_URL must have'],
    [{ ...live, DATABASE_OWNER_URL: 'postgres://h/d' }, 'DATABASE_OWNER_URL must have sslmode=verify-full'],
    [
      { DATABASE_URL: 'postgres://run@h/copy', DATABASE_OWNER_URL: 'postgres://owner@h/original' },
      'DATABASE_OWNER_URL must name the database of DATABASE_URL',
    ],
    [{ ...cluster, ...live, BUS_URL: 'nats://bus.test:4222' }, 'BUS_URL must begin with tls://'],
    [{ ...cluster, ...live, BUS_URL: 'nats://127.0.0.1,nats://bus.test' }, 'BUS_URL must begin with tls://'],
    [
      { ...cluster, ...live, BUS_URL: 'nats://127.0.0.1' },
      'BUS_URL must have a user and password, nkey=FILE',
    ],
    [{ ...cluster, ...live, BUS_URL: 'tls://a-token@bus.test' }, 'BUS_URL must have a user and password'],
    [
      { ...live, ...config({ exchangeAddresses: { kraken: 'ws://gateway.test' } }) },
      'exchangeAddresses.kraken must be encrypted',
    ],
    [
      { ...live, ...config({ exchangeAddresses: { oanda: 'http://10.0.0.7:80' } }) },
      'exchangeAddresses.oanda must be encrypted',
    ],
  ])('is rejected with one line that names it: %j', (env, line) => {
    const message = settingsError(env)
    expect(message).toContain(line)
    expect(message).not.toContain('\n')
  })

  it.each([
    'localhost',
    '8.8.8.8',
    '[::1]',
    'https://push.test',
    'push.test:8443',
    '*.push.test',
    'push.test,',
  ])('that lists push services has names of hosts only: %s', (names) =>
    expect(settingsError({ PUSH_SERVICES: names })).toContain('PUSH_SERVICES must be names of hosts'),
  )
})

it.each([
  [{}, []],
  [{ TRUST_PROXY: 'on' }, []],
  [{ HOST: '0.0.0.0' }, ['plain HTTP']],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://venue.test' }, []],
  [{ HOST: '::', TRUST_PROXY: 'on' }, ['plain HTTP', 'TRUST_PROXY']],
  [{ HOST: '10.0.0.5', TRUST_PROXY: '10.0.0.1', PUBLIC_URL: 'https://venue.test' }, []],
  [live, ['CONFIG_FILE has no depositMethods', 'TRUST_PROXY is off']],
  [
    { ...live, TRUST_PROXY: 'on', ...config({ depositMethods: [bankMethod], withdrawalRestHours: 1 }) },
    ['withdrawalRestHours of CONFIG_FILE is below 24'],
  ],
  [
    {
      ...live,
      TRUST_PROXY: 'on',
      CONFIG_FILE: file('methods.json', JSON.stringify({ depositMethods: [bankMethod] })),
    },
    [],
  ],
])('warns for %j: %j', (env, prefixes) => {
  const warnings = startupWarnings(readSettings(env))
  expect(warnings).toHaveLength(prefixes.length)
  prefixes.forEach((prefix, i) => expect(warnings[i]?.startsWith(prefix)).toBe(true))
})
