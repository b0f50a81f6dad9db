import { Button } from '@mantine/core';
import { useIntersection, useMergedRef } from '@mantine/hooks';
import { useRef, type ReactNode } from 'react';
import { useI18n } from '../../i18n/I18n';
import { Icon } from '../../ui/Icon';
import classes from './DecisionInReach.module.css';

/** On a narrow screen, shows a bar at the bottom that leads to the decision while it is out of sight. */
export function DecisionInReach({ wanted, children }: { wanted: boolean; children: ReactNode }) {
  const { t } = useI18n();
  const place = useRef<HTMLDivElement>(null);
  const { ref, entry } = useIntersection();
  const watched = useMergedRef(place, ref);
  return (
    <>
      <div ref={watched} className={classes.place} tabIndex={-1}>
        {children}
      </div>
      {wanted && entry !== null && !entry.isIntersecting && (
        <div className={classes.bar}>
          <Button
            className={classes.way}
            leftSection={<Icon name="chevronDown" size={16} />}
            onClick={() => {
              place.current?.scrollIntoView();
              place.current?.focus({ preventScroll: true });
            }}
          >
            {t('report.toDecision')}
          </Button>
        </div>
      )}
    </>
  );
}
