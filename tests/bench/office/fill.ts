import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import config from '../../../server/config.json' with { type: 'json' }
import { openApiClient, type ApiClient } from '../../pageSweep/apiClient.ts'
import { photo } from '../../support/uploads.ts'

const each = 50
/** So many members ask at the same time. */
const lanes = 4

/** The settings of a venue whose members may have that many requests under review at once. */
export async function roomySettings(): Promise<{ CONFIG_FILE: string }> {
  const file = join(tmpdir(), `uptick-office-bench-${process.pid}.json`)
  const limit = each * 2
  const requestLimits = {
    openDeposits: limit,
    depositsPerDay: limit,
    openWithdrawals: limit,
    withdrawalsPerDay: limit,
  }
  await writeFile(file, JSON.stringify({ ...config, requestLimits }))
  return { CONFIG_FILE: file }
}

/** So many deposits and as many withdrawals wait, fifty of each member, of different amounts. */
export async function fillQueues(origin: string, deskKey: string, waiting: number): Promise<void> {
  let left = Math.ceil(waiting / each)
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const client = await openApiClient(origin, deskKey)
      await askForMuch(client)
      await client.close()
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

async function askForMuch(client: ApiClient): Promise<void> {
  const { account, transactionPassword } = client.member
  const picture = await photo()
  await client.send('POST', '/verification', {
    name: 'Anna Kowalska',
    idNumber: `AB${account.replaceAll(/\D/g, '')}`,
    nationality: 'PL',
    frontUploadId: await client.upload('id_front', picture),
    backUploadId: await client.upload('id_back', picture),
  })
  await client.office('POST', `/verifications/${client.user.id}/approve`)
  await client.send('POST', '/withdrawal-account', {
    type: 'bank',
    accountName: 'Anna Kowalska',
    nationality: 'PL',
    bank: 'First Bank',
    cardNumber: `6222 ${account.replaceAll(/\D/g, '')}`,
    accountAddress: 'Main Street 12',
    transactionPassword,
  })
  for (let n = 1; n <= each; n++) {
    await client.send('POST', '/deposits', { methodId: 'practice-review', amount: `${n * 7}.00` })
    await client.send('POST', '/withdrawals', { amount: `${n * 5}.00`, transactionPassword })
  }
}
