import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { useFormat } from '../../hooks/useFormat.ts'
import { Checklist } from '../../features/proof/Checklist.tsx'
import { hasInterruption, linesOf } from '../../features/proof/lines.ts'
import { receiptText } from '../../features/proof/receiptLine.ts'
import { isSignedByVenue } from '../../proof/receipt.ts'
import { resultText } from '../../features/orders/orderLabels.ts'
import type { LogCheck } from '../../proof/log.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { FileInput, Icon, KeyValues, Spinner, TextLink } from '../../ui/index.ts'
import styles from './CheckFile.module.css'
import { checkProofFile, type CheckingDevice, type FileCheck } from './checkProofFile.ts'

/** `no` counts the chosen files. `check` is null while it runs. */
type Shown = { no: number; name: string; check: FileCheck | null }

/** Checks an exported proof on a device, by default this one, for anyone: nothing is sent, and no login is needed. */
export function CheckFile({ device }: { device?: CheckingDevice }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState<Shown>()
  const chosen = useRef(0)
  const check = async (file: File) => {
    const no = ++chosen.current
    setShown({ no, name: file.name, check: null })
    const result = await checkProofFile(file, device)
    if (no === chosen.current) setShown({ no, name: file.name, check: result })
  }
  return (
    <Page ground="market" title={t('title.checkFile')} backTo={paths.about}>
      <div className={styles.page}>
        <p className={styles.intro}>{t('checkFile.intro')}</p>
        <FileBox onFile={(file) => void check(file)} />
        <div aria-live="polite" aria-busy={shown?.check === null}>
          {shown !== undefined && <Outcome key={shown.no} shown={shown} />}
        </div>
        <p className={styles.how}>
          <TextLink caret href={hrefTo(paths.check)}>
            {t('title.check')}
          </TextLink>
        </p>
      </div>
    </Page>
  )
}

/** Where a file is chosen or dropped. */
function FileBox({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation()
  return (
    <label className={styles.drop}>
      <FileInput accept=".json,application/json" onFile={onFile} />
      <Icon name="seal-check" size={24} />
      <span className={styles.choose}>{t('checkFile.choose')}</span>
      <span className={styles.hint}>{t('checkFile.drop')}</span>
    </label>
  )
}

function Outcome({ shown: { name, check } }: { shown: Shown }) {
  const { t } = useTranslation()
  if (check === null) {
    return (
      <p className={styles.verdict}>
        <Spinner /> {t('proof.checking')}
      </p>
    )
  }
  if (!check.ok) {
    return (
      <p className={styles.verdict} data-wrong role="alert">
        <Icon name="warning-circle-fill" size={20} />
        {problemText(t, name, check)}
      </p>
    )
  }
  return <Report check={check} />
}

function Report({ check: { proof, report, isKept, isOwn } }: { check: Extract<FileCheck, { ok: true }> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { order } = proof
  const direction = t(order.direction === 'up' ? 'order.upInline' : 'order.downInline')
  return (
    <>
      <p
        className={styles.verdict}
        data-wrong={!report.ok || undefined}
        role={report.ok ? undefined : 'alert'}
      >
        <Icon name={report.ok ? 'check-circle-fill' : 'warning-circle-fill'} size={20} />
        {t(report.ok ? 'checkFile.holds' : 'checkFile.fails')}
      </p>
      {report.receipt.ok && (
        <Signed isSigned={isSignedByVenue(report.receipt)}>
          {receiptText(report.receipt, { t, format })}
          {isOwn && ` ${t('checkFile.own')}`}
        </Signed>
      )}
      {/* The log alone has a leaf: that it is about these prices only the whole proof shows. */}
      {report.log.ok && (report.ok || !report.log.held) && (
        <Signed isSigned={report.log.held}>{pricesText(report.log, t)}</Signed>
      )}
      {report.ok && hasInterruption(proof) && <Signed isSigned={false}>{t('proof.gapsUnsigned')}</Signed>}
      <div className={styles.order}>
        <KeyValues
          items={[
            { key: 'no', label: t('order.number'), value: order.no },
            {
              key: 'order',
              label: t('checkFile.order'),
              value: t('order.story', {
                product: order.productId,
                direction,
                amount: format.money(order.amount),
              }),
            },
            { key: 'result', label: t('checkFile.result'), value: resultText(t, order) },
          ]}
        />
      </div>
      <Checklist lines={linesOf(report, { t, format, order, proof, isForeign: !isKept })} proof={proof} />
    </>
  )
}

/** Who signed which part of the file: the order, and separately the prices from which its result follows. */
function Signed({ isSigned, children }: { isSigned: boolean; children: ReactNode }) {
  return (
    <p className={styles.signed} data-signed={isSigned || undefined}>
      <Icon name={isSigned ? 'seal-check' : 'minus-circle'} size={20} />
      <span>{children}</span>
    </p>
  )
}

function pricesText(log: Extract<LogCheck, { ok: true }>, t: TFunction): string {
  if (log.held) return t('checkFile.pricesLogged')
  return t(log.why === 'none' ? 'checkFile.pricesUnsigned' : 'proof.logUnsigned')
}

function problemText(t: TFunction, name: string, check: Extract<FileCheck, { ok: false }>): string {
  if (check.why === 'open') return t('checkFile.open')
  if (check.why === 'large') return t('checkFile.tooLarge', { name })
  if (check.why === 'path') return t('checkFile.longPath', { name })
  if (check.why === 'unreadable') return t('checkFile.unreadable', { name })
  return check.field === ''
    ? t('checkFile.noProof', { name })
    : t('checkFile.badField', { name, field: check.field })
}
