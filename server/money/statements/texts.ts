import type { Language } from '../../../contract/constants.ts'
import type { LedgerType } from '../../../contract/ledger.ts'
import { loadPack } from '../../platform/packs.ts'

/** The words of a statement in one language. */
export type StatementText = OwnText & {
  account: string
  currency: string
  type: string
  number: string
  product: string
  amount: string
  available: string
  held: string
  stakes: string
  fund: string
  practice: string
  types: Record<LedgerType, string>
  /** With the zone's name for `{{zone}}`. */
  timesIn: string
}

/** What only a statement says. */
type OwnText = {
  title: string
  time: string
  productName: string
  balance: string
  opening: string
  closing: string
  total: string
  entries: string
}

/** A statement's words in a language: its own, and those of the app, so that both name a thing alike. */
export async function statementText(language: Language): Promise<StatementText> {
  const { account, common, deposit, home, login, me, orders, records, wallet } = await loadPack(language)
  return {
    ...own[language],
    account: login.account,
    currency: account.currency,
    type: records.type,
    number: wallet.number,
    product: orders.product,
    amount: wallet.amount,
    available: home.available,
    held: me.explain.held,
    stakes: home.openStakes,
    fund: me.explain.fund,
    practice: deposit.kind.practice,
    types: records.types,
    timesIn: common.timesIn,
  }
}

const own: Record<Language, OwnText> = {
  'zh-CN': {
    title: '对账单',
    time: '时间',
    productName: '产品名称',
    balance: '余额',
    opening: '期初余额',
    closing: '期末余额',
    total: '合计',
    entries: '笔数',
  },
  'zh-TW': {
    title: '對帳單',
    time: '時間',
    productName: '商品名稱',
    balance: '餘額',
    opening: '期初餘額',
    closing: '期末餘額',
    total: '合計',
    entries: '筆數',
  },
  en: {
    title: 'Statement',
    time: 'Time',
    productName: 'Product name',
    balance: 'Balance',
    opening: 'Opening balance',
    closing: 'Closing balance',
    total: 'Total',
    entries: 'Entries',
  },
  ja: {
    title: '取引明細書',
    time: '日時',
    productName: '銘柄名',
    balance: '残高',
    opening: '期首残高',
    closing: '期末残高',
    total: '合計',
    entries: '件数',
  },
  th: {
    title: 'ใบแจ้งยอดบัญชี',
    time: 'เวลา',
    productName: 'ชื่อผลิตภัณฑ์',
    balance: 'ยอดคงเหลือ',
    opening: 'ยอดยกมา',
    closing: 'ยอดยกไป',
    total: 'รวม',
    entries: 'จำนวนรายการ',
  },
  vi: {
    title: 'Sao kê',
    time: 'Thời gian',
    productName: 'Tên sản phẩm',
    balance: 'Số dư',
    opening: 'Số dư đầu kỳ',
    closing: 'Số dư cuối kỳ',
    total: 'Tổng',
    entries: 'Số giao dịch',
  },
  id: {
    title: 'Laporan akun',
    time: 'Waktu',
    productName: 'Nama produk',
    balance: 'Saldo',
    opening: 'Saldo awal',
    closing: 'Saldo akhir',
    total: 'Total',
    entries: 'Jumlah transaksi',
  },
  ko: {
    title: '거래 명세서',
    time: '일시',
    productName: '종목명',
    balance: '잔액',
    opening: '기초 잔액',
    closing: '기말 잔액',
    total: '합계',
    entries: '건수',
  },
  fr: {
    title: 'Relevé de compte',
    time: 'Date et heure',
    productName: 'Nom du produit',
    balance: 'Solde',
    opening: 'Solde d’ouverture',
    closing: 'Solde de clôture',
    total: 'Total',
    entries: 'Écritures',
  },
  de: {
    title: 'Kontoauszug',
    time: 'Zeit',
    productName: 'Produktname',
    balance: 'Saldo',
    opening: 'Anfangssaldo',
    closing: 'Endsaldo',
    total: 'Summe',
    entries: 'Buchungen',
  },
}
