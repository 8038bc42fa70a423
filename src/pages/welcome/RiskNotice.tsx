import { useTranslation } from 'react-i18next'
import { Button, Sheet } from '../../ui/index.ts'
import styles from './RiskNotice.module.css'

const points = ['stake', 'short', 'practice', 'replay', 'limits'] as const

/** The risk notice that a member must read before trading. */
export function RiskNotice(props: { open: boolean; onClose: () => void; onAccept: () => void }) {
  const { t } = useTranslation()
  return (
    <Sheet
      open={props.open}
      onClose={props.onClose}
      title={t('risk.title')}
      closeLabel={t('common.close')}
      footer={
        <Button block onClick={props.onAccept}>
          {t('risk.accept')}
        </Button>
      }
    >
      <ul className={styles.points}>
        {points.map((point) => (
          <li key={point}>{t(`risk.${point}`)}</li>
        ))}
      </ul>
    </Sheet>
  )
}
