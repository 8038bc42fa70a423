import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { scratchFolder } from '../../support/wholeVenue.ts'
import type { Findings } from '../findings.ts'

const root = resolve(import.meta.dirname, '../../..')

/**
 * The tests of what somebody tries on one part of the venue: `npm test` and `npm run test:system` run them too. What an attack needs the whole venue
 * for is a scenario beside this file.
 */
const files = [
  // Guesses, logins, second factors and passwords, also at once and on several nodes.
  'members/accounts/devicesEnd.test',
  'members/accounts/guessing.system',
  'members/accounts/hashQueue.test',
  'members/accounts/lostTransaction.test',
  'members/accounts/oldPassword.test',
  'members/accounts/passwordRecovery.test',
  'members/secondFactor/',
  'platform/twoNodes/logIn.system',
  'platform/twoNodes/sharedState.system',
  // The staff: roles, names, two persons, looks, freezes, pictures.
  'office/calls/loggedReads.system',
  'office/staff/',
  // Money: races, sums of one person, limits of requests, retries, closing an account.
  'platform/idempotency/idempotencyKeys.test',
  'platform/idempotency/retries.system',
  'money/ledger/doubleSpend.test',
  'money/fund/races.system',
  'members/ownData/close.test',
  'money/selfLimits/',
  'trading/orders/races.system',
  'money/wallet/races.system',
  'money/wallet/requestLimits.test',
  // Statements in the database, past every rule.
  'safety/resultTampering.test',
  'safety/roleAttacks.test',
  // Requests, sockets, files and pictures.
  'platform/http/admission.test',
  'platform/http/clientAddress.test',
  'platform/http/headers.test',
  'platform/http/jsonDepth.test',
  'platform/http/listener.test',
  'market/realtime/hostile.test',
  'safety/accessControl.test',
  'safety/badFiles.test',
  'money/statements/statement.system',
  'money/statements/statements.system',
  'notices/uploads/',
  // Notifications, the bus, the public log, sources of prices, and what a live venue refuses.
  'platform/cluster/sealedBus.test',
  'market/nodes/followedLog.test',
  'market/publicLog/tampering.test',
  'notices/push/',
  'start/live.system',
  'start/sourceChange.system',
].map((file) => `tests/server/${file}`)
const proofs = ['tests/src/proof/', 'tests/package/foreignFiles.test', 'tests/package/verifyTampering.system']
const all = [...files, ...proofs]
const isSystem = (file: string): boolean => file.endsWith('.system')

type Report = {
  testResults: { name: string; message?: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** Runs these tests in processes of their own. */
export async function runAttackTests(): Promise<Findings> {
  const unit = await reportOf(all.filter((file) => !isSystem(file)))
  const system = await reportOf(all.filter(isSystem), '--config', 'tests/system/vitest.config.ts')
  const testResults = [...unit, ...system]
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
  const broken = testResults.filter(({ message = '' }) => message !== '').map(({ name }) => name)
  const missing = all.filter((file) => !testResults.some(({ name }) => name.includes(file)))
  return {
    tried: tests.filter(({ status }) => status === 'passed' || status === 'failed').length,
    violations: [...failed, ...broken, ...missing.map((file) => `${file} has no test`)],
  }
}

async function reportOf(files: readonly string[], ...options: string[]): Promise<Report['testResults']> {
  const folder = await scratchFolder()
  const output = join(folder.path, 'report.json')
  try {
    const args = ['vitest', 'run', ...files, ...options, '--reporter=json', `--outputFile=${output}`]
    const run = spawn('npx', args, { cwd: root, stdio: 'ignore' })
    await once(run, 'exit')
    return (JSON.parse(await readFile(output, 'utf8')) as Report).testResults
  } finally {
    await folder.remove()
  }
}
