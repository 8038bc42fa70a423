import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readSettings, settingNames } from '../../../../server/start/config.ts'
import { projectRoot } from '../../../../server/platform/paths.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'uptick-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The lines of an environment file. */
const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )

const makeKeys = (...args: string[]): string =>
  execFileSync(process.execPath, [join(projectRoot, 'deploy/makeKeys.mjs'), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Read by Node itself. */
const others = ['NODE_EXTRA_CA_CERTS']
const live = join(folder, 'live')
const nodes = ['leader-a', 'leader-b', 'edge-a', 'edge-b']

describe('the files of deploy/', () => {
  it('makeKeys.mjs makes the keys of a venue once, which nobody else can read', () => {
    makeKeys(live, ...nodes)
    const files = readdirSync(live).toSorted()
    expect(files).toEqual([
      'edge-a.nk',
      'edge-b.nk',
      'keys.env',
      'leader-a.nk',
      'leader-b.nk',
      'nats-users.conf',
      'postgres.env',
    ])
    for (const file of files) expect(statSync(join(live, file)).mode & 0o777).toBe(0o600)
    const before = readFileSync(join(live, 'keys.env'), 'utf8')
    expect(() => makeKeys(live, ...nodes)).toThrow('has keys already: nothing was written')
    expect(readFileSync(join(live, 'keys.env'), 'utf8')).toBe(before)
    const passwords = variablesOf(readFileSync(join(live, 'postgres.env'), 'utf8'))
    expect(Object.keys(passwords)).toEqual(['POSTGRES_PASSWORD', 'REPLICA_PASSWORD'])
    const users = readFileSync(join(live, 'nats-users.conf'), 'utf8')
    expect(new Set(users.match(/\bU[A-Z2-7]{55}\b/g)).size).toBe(nodes.length)
  })

  it('start Node with the options of npm start, which keep a venue small', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
    const options = scripts.start.split(' ').filter((word) => word.startsWith('--'))
    expect(options.length).toBeGreaterThan(0)
    expect(read('deploy/Containerfile')).toContain(
      JSON.stringify(['node', ...options, 'dist/server/main.js']).replaceAll(',', ', '),
    )
    expect(read('deploy/systemd/uptick@.service')).toContain(`node ${options.join(' ')} dist/server/main.js`)
  })

  it('what makeKeys.mjs and openssl make is added neither to the repository nor to an image, wherever it is', () => {
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
    git('init', '--quiet')
    copyFileSync(join(projectRoot, '.gitignore'), join(folder, '.gitignore'))
    const secrets = [...readdirSync(live), 'ca.key', 'node-a.key'].map((file) => `live/${file}`)
    expect(
      git('check-ignore', ...secrets)
        .trim()
        .split('\n'),
    ).toEqual(secrets)
    const notSent = read('.dockerignore').split('\n')
    for (const pattern of ['**/keys.env', '**/postgres.env', '**/nats-users.conf', '**/*.nk', '**/*.key'])
      expect(notSent).toContain(pattern)
  })

  it('live.env and keys.env are settings with which a node of a live venue starts', () => {
    const env = {
      ...variablesOf(read('deploy/live.env')),
      ...variablesOf(readFileSync(join(live, 'keys.env'), 'utf8')),
    }
    expect(Object.keys(env).filter((name) => ![...settingNames, ...others].includes(name))).toEqual([])
    const here = { CONFIG_FILE: join(projectRoot, 'deploy/config.example.json') }
    expect(readSettings({ ...env, ...here })).toMatchObject({
      mode: 'live',
      feed: 'live',
      role: 'auto',
      publicUrl: 'https://trade.example.com',
    })
    expect(readSettings({ ...env, ...here, ROLE: 'edge' }).role).toBe('edge')
    // The comment at CONFIG_FILE names the example for these.
    const example: unknown = JSON.parse(read('deploy/config.example.json'))
    expect(Object.keys(example as object)).toEqual(
      expect.arrayContaining(['currency', 'depositMethods', 'zone']),
    )
  })

  it('compose.yaml starts nodes with these settings and its own addresses', () => {
    const compose = read('deploy/compose.yaml')
    const [, block = ''] = /x-environment: &environment\n((?: {2}.*\n)+)/.exec(compose) ?? []
    const own = Object.fromEntries(
      [...block.matchAll(/^ {2}([A-Z_]+): '?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
    )
    expect(Object.keys(own).filter((name) => ![...settingNames, ...others].includes(name))).toEqual([])
    const env = {
      ...variablesOf(read('deploy/live.env')),
      ...variablesOf(readFileSync(join(live, 'keys.env'), 'utf8')),
      ...own,
      DATABASE_URL: own['DATABASE_URL']?.replace('${POSTGRES_PASSWORD}', 'ab'),
      CONFIG_FILE: join(projectRoot, 'deploy/config.example.json'),
    }
    expect(readSettings(env)).toMatchObject({ mode: 'live', role: 'auto' })
    for (const node of nodes) {
      expect(compose).toContain(`NODE_NAME: ${node} }`)
      expect(compose).toContain(`secrets: [{ source: ${node}, target: node.nk }]`)
      expect(compose).toContain(`  ${node}: { file: live/${node}.nk }`)
    }
  })

  it('docs/deploying.md has commands that a shell reads as they stand, with the indentation of a list too', () => {
    const blocks = [...read('docs/deploying.md').matchAll(/^ *```sh\n([^]*?)^ *```$/gm)]
    expect(blocks.length).toBeGreaterThan(12)
    for (const [, block = ''] of blocks) {
      const { stderr } = spawnSync('bash', ['-n'], { input: block, encoding: 'utf8' })
      expect(stderr, block).toBe('')
    }
  })

  it('the image has the folder of pictures, which the volume takes its owner from', () => {
    expect(read('deploy/Containerfile')).toContain('mkdir -p /data/uploads && chown -R node:node /data')
    expect(read('deploy/compose.yaml')).toContain('uploads:/data/uploads')
  })
})
