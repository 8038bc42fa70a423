import { useTranslation } from 'react-i18next'
import { assertNever } from '../../../contract/brand.ts'
import { useConfig } from '../../hooks/useConfig.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useSession } from '../../state/session.ts'
import { Figure, KeyValues, Sheet } from '../../ui/index.ts'
import type { AssetFigure } from '../money/AssetsCard.tsx'
import styles from './Explain.module.css'
import { ExplainMoney } from './ExplainMoney.tsx'
import { isLevelKey, levelKeyOf } from './levels.ts'

/** Everything of the personal centre that explains itself. */
export type Explained = AssetFigure | 'level' | 'verified' | 'creditScore'

export type ExplainProps = { what: Explained; open: boolean; onClose: () => void }

const names = {
  total: 'home.totalAssets',
  available: 'home.available',
  todayPnl: 'home.todayPnl',
  accountPnl: 'me.accountPnl',
  level: 'me.memberLevel',
  verified: 'title.verify',
  creditScore: 'me.creditScore',
} as const

/** A figure in full: what it is, how it is worked out, and from what. */
export function Explain({ what, open, onClose }: ExplainProps) {
  const { t } = useTranslation()
  return (
    <Sheet open={open} onClose={onClose} title={t(names[what])} closeLabel={t('common.close')}>
      <div className={styles.body}>
        <Inside what={what} />
      </div>
    </Sheet>
  )
}

function Inside({ what }: { what: Explained }) {
  switch (what) {
    case 'total':
    case 'available':
    case 'todayPnl':
    case 'accountPnl':
      return <ExplainMoney figure={what} />
    case 'level':
      return <Level />
    case 'verified':
      return <Verified />
    case 'creditScore':
      return <Score />
    default:
      return assertNever(what)
  }
}

/** All levels in their order, the member's own marked. */
function Level() {
  const { t } = useTranslation()
  const { userInfo } = useSession()
  const levels = useConfig()?.levels ?? []
  const own = levelKeyOf(levels, userInfo?.level ?? 0)
  return (
    <>
      {own !== undefined && <Figure size={28}>{t(`me.level.${own}`)}</Figure>}
      <p className={styles.text}>{t('me.explain.level')}</p>
      <KeyValues
        items={levels.flatMap(({ level, key }) =>
          isLevelKey(key)
            ? [
                {
                  key,
                  label: `${level} · ${t(`me.level.${key}`)}`,
                  value: key === own ? t('me.explain.yourLevel') : '',
                },
              ]
            : [],
        )}
      />
    </>
  )
}

function Verified() {
  const { t } = useTranslation()
  const { userInfo } = useSession()
  return (
    <>
      <Figure size={28}>{t(`me.verificationStatus.${userInfo?.verification ?? 'none'}`)}</Figure>
      <p className={styles.text}>{t('me.explain.verified')}</p>
    </>
  )
}

function Score() {
  const { t } = useTranslation()
  const format = useFormat()
  const { userInfo } = useSession()
  return (
    <>
      <Figure size={28}>{format.decimal(String(userInfo?.creditScore ?? 0))}</Figure>
      <p className={styles.text}>{t('me.explain.creditScore')}</p>
    </>
  )
}
