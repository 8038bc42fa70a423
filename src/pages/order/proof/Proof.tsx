import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../hooks/useFormat.ts'
import type { Order } from '../../../../streams/index.ts'
import { paths } from '../../../paths.ts'
import { hrefTo } from '../../../router/hashLocation.ts'
import { Button, Icon, TextLink } from '../../../ui/index.ts'
import type { ProofLine } from '../../../features/proof/line.ts'
import { hasInterruption, linesOf } from '../../../features/proof/lines.ts'
import { Checks, ChecksSkeleton } from './Checks.tsx'
import { RecordingCheck } from './RecordingCheck.tsx'
import styles from './Proof.module.css'
import { ProofSection } from './ProofSection.tsx'
import type { ProofState } from './useProof.ts'
import { LoadFailed } from '../../../shell/Loaded.tsx'

export type ProofProps = { order: Order; state: ProofState; onRetry: () => void; onDownload: () => void }

/** The proof of an order's settlement, checked on this device and shown line by line. */
export function Proof({ order, state, onRetry, onDownload }: ProofProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (state.step === 'failed') {
    return (
      <ProofSection>
        <LoadFailed failed={t('proof.failed')} failure={state.failure} retry={onRetry} />
      </ProofSection>
    )
  }
  const lines =
    state.step === 'checked' ? linesOf(state.report, { t, format, order, proof: state.proof }) : []
  return (
    <ProofSection busy={state.step !== 'checked'} stamp={<Stamp state={state} lines={lines} />}>
      {state.step === 'checked' ? (
        <Checks key={state.at} lines={lines} proof={state.proof} />
      ) : (
        <ChecksSkeleton />
      )}
      {state.step === 'checked' && !state.report.ok && (
        <p className={styles.wrong} role="alert">
          {t('proof.wrong')}
        </p>
      )}
      {state.step === 'checked' && state.report.ok && hasInterruption(state.proof) && (
        <p className={styles.unsigned}>{t('proof.gapsUnsigned')}</p>
      )}
      <p className={styles.how}>
        <TextLink caret href={hrefTo(paths.check)}>
          {t('title.check')}
        </TextLink>
      </p>
      {state.step === 'checked' && <RecordingCheck key={order.id} proof={state.proof} />}
      {state.step === 'checked' && (
        <div className={styles.download}>
          <Button
            variant="secondary"
            block
            icon="download-simple"
            onClick={onDownload}
            reason={t('proof.downloadHint')}
          >
            {t('proof.download')}
          </Button>
        </div>
      )}
    </ProofSection>
  )
}

/** How far the check is, beside the heading. A line that nothing was compared with does not count as checked. */
function Stamp({ state, lines }: { state: ProofState; lines: readonly ProofLine[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const failed = state.step === 'checked' && !state.report.ok
  return (
    <output className={styles.stamp} data-wrong={failed || undefined}>
      <Icon name={failed ? 'warning-circle' : 'device-mobile'} size={18} />
      {text()}
    </output>
  )

  function text(): string {
    if (state.step === 'fetching') return t('proof.fetching')
    if (state.step !== 'checked') return t('proof.checking')
    const time = format.time(state.at)
    if (failed) return t('proof.failedAt', { time })
    const done = lines.filter(({ mark }) => mark !== 'unchecked').length
    const total = lines.length
    return done < total ? t('proof.checkedSomeAt', { done, total, time }) : t('proof.checkedAt', { time })
  }
}
