import type { Deposit } from '../../contract/deposits.ts'
import type { Withdrawal } from '../../contract/withdrawals.ts'
import type { MemberClient } from './apiCalls.ts'
import { transactionPassword } from './payments.ts'

/*
 * What a member asks for and the staff decides, in a venue of `withVenue`. Each returns the id of the request, and throws if
 * the venue refuses it.
 */

/** Practice money that waits for review; `proofUploadId` is the proof of payment. */
export async function askToDeposit(
  member: MemberClient,
  amount = '20.00',
  proofUploadId?: string,
): Promise<string> {
  const form = { methodId: 'practice-review', amount, ...(proofUploadId !== undefined && { proofUploadId }) }
  return idOf(await member.post<Deposit>('/deposits', form))
}

/** Of a verified member. */
export async function askToWithdraw(member: MemberClient, amount: string): Promise<string> {
  return idOf(await member.post<Withdrawal>('/withdrawals', { amount, transactionPassword }))
}

export async function askForTransactionPassword(member: MemberClient): Promise<string> {
  const form = {
    kind: 'transaction',
    oldPassword: transactionPassword,
    newPassword: '730518',
    confirmPassword: '730518',
  }
  return idOf(await member.send<{ id: string }>('POST', '/auth/password-requests', form))
}

function idOf({ status, body, text }: { status: number; body: { id: string }; text: string }): string {
  if (status >= 300) throw new Error(`the request was refused: ${status} ${text}`)
  return body.id
}
