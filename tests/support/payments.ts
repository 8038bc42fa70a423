import type { DepositMethodSetting } from '../../server/money/wallet/depositMethodSetting.ts'

export const bankMethod: DepositMethodSetting = {
  id: 'bank-1',
  kind: 'bank',
  currency: 'USD',
  instructions: { Bank: 'First Bank', Account: '001' },
  min: '10.00',
  max: '5000.00',
}
export const coinMethod: DepositMethodSetting = {
  ...bankMethod,
  id: 'coin-1',
  kind: 'crypto',
  currency: 'USDT',
}

/** Of every member that the tests make. */
export const transactionPassword = '482913'

export const bankDetails = {
  type: 'bank',
  accountName: 'Canary Accountname',
  nationality: 'CN',
  bank: 'First Bank',
  cardNumber: '6222 0212 3456 7890',
  accountAddress: '77 Canary Street, Shanghai',
}
/** The request that binds the account. */
export const bankAccount = { ...bankDetails, transactionPassword }
export const coinAccount = {
  type: 'crypto',
  accountName: 'Canary Accountname',
  nationality: 'SG',
  currency: 'USDT',
  currencyAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  transactionPassword,
}
