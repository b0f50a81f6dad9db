import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { asApiError } from '../../api/http';
import { keys } from '../../api/queryKeys';
import { createStaff, listStaff, searchUsers, type StaffKind } from '../../api/staff';
import type { StaffEntry } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Dialog } from '../../ui/Dialog';
import { Form, FormButtons } from '../../ui/Form';
import { Icon } from '../../ui/Icon';
import { PageHead } from '../../ui/Panel';
import { PersonName } from '../../ui/PersonName';
import { Empty } from '../../ui/States';
import { Tag } from '../../ui/Tag';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import { DataTable } from '../../ui/DataTable';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import classes from './Staff.module.css';
import { useGrantWords } from './useGrantWords';

const addKeys = { moderator: 'staff.addModerator', admin: 'staff.addAdmin' } as const;

export function StaffList({ kind }: { kind: StaffKind }) {
  const { t } = useI18n();
  const [adding, setAdding] = useState(false);
  const title = t(kind === 'moderator' ? 'admin.moderators' : 'admin.admins');
  useTitle(title);
  const list = useInfiniteQuery({
    queryKey: keys.staff(kind),
    queryFn: ({ pageParam, signal }) => listStaff(kind, { first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });
  return (
    <>
      <PageHead title={title} hint={t(kind === 'moderator' ? 'staff.hintModerators' : 'staff.hintAdmins')}>
        {list.isSuccess && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            {t(addKeys[kind])}
          </Button>
        )}
      </PageHead>
      <ListFrame list={list} empty={<Empty icon="users" title={t('staff.empty')} />}>
        {(entries: StaffEntry[]) => (
          <DataTable
            label={title}
            rows={entries}
            rowKey={(entry) => entry.id}
            columns={[
              {
                key: 'person',
                title: t('staff.person'),
                cell: (entry) => (
                  <div>
                    <Link to={`/admin/core/staff/${kind}s/${entry.id}`} className={classes.person}>
                      <PersonName person={entry.user} />
                    </Link>
                    {entry.user?.email != null && <div className={classes.underName}>{entry.user.email}</div>}
                  </div>
                ),
              },
              {
                key: 'rights',
                title: t('staff.rights'),
                cell: (entry) => (entry.unrestricted ? <Tag tone="violet">{t(kind === 'admin' ? 'staff.root' : 'staff.unrestricted')}</Tag> : <Summary entry={entry} />),
              },
              { key: 'updated', title: t('staff.changed'), end: true, minor: true, cell: (entry) => <When iso={entry.updatedAt} /> },
            ]}
          />
        )}
      </ListFrame>
      {adding && <AddStaff kind={kind} close={() => setAdding(false)} />}
    </>
  );
}

function Summary({ entry }: { entry: StaffEntry }) {
  const { t } = useI18n();
  const words = useGrantWords();
  // In the catalog's order, as in the editor.
  const modules = new Map(entry.permissions.map((grant) => [`${grant.plugin}:${grant.module}`, words.module(grant.plugin, grant.module)]));
  const scoped = entry.permissions.some((grant) => grant.scope?.mode === 'selected');
  if (modules.size === 0) return <span className={classes.email}>{t('staff.noRights')}</span>;
  return (
    <span className={classes.tags}>
      {[...modules].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, name]) => (
        <Tag key={key}>{name}</Tag>
      ))}
      {scoped && <Tag tone="amber">{t('staff.scoped')}</Tag>}
      <span className={classes.email}>{t('staff.count', { count: entry.permissions.length })}</span>
    </span>
  );
}

function AddStaff({ kind, close }: { kind: StaffKind; close: () => void }) {
  const { t } = useI18n();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const [search, setSearch] = useState('');
  const [term] = useDebouncedValue(search, 200);
  const [userId, setUserId] = useState<string | null>(null);
  const users = useQuery({ queryKey: keys.users(term), queryFn: ({ signal }) => searchUsers(term, signal), placeholderData: keepPreviousData });
  const people = users.data?.edges ?? [];
  const label = (person: { name: string; email: string | null }) => (person.email === null ? person.name : `${person.name} · ${person.email}`);
  const create = useMutation({
    mutationFn: (id: string) => createStaff(kind, id),
    onSuccess: ({ id }) => void navigate(`/admin/core/staff/${kind}s/${id}`),
  });
  const failure = create.isError ? asApiError(create.error) : users.isError ? asApiError(users.error) : null;
  return (
    <Dialog close={close} title={t(addKeys[kind])}>
      <Form
        className={classes.form}
        submit={() => {
          if (userId !== null) create.mutate(userId);
        }}
      >
        <Select
          label={t('staff.account')}
          placeholder={t('staff.accountSearch')}
          searchable
          data-autofocus
          openOnFocus={false}
          value={userId}
          onChange={setUserId}
          onSearchChange={(text) => {
            if (!people.some((person) => label(person) === text)) setSearch(text);
          }}
          filter={({ options }) => options}
          nothingFoundMessage={t('staff.noAccount')}
          error={failure === null ? undefined : failure.code === 'already_exists' ? t('staff.exists') : errorText(failure)}
          data={people.map((person) => ({ value: person.id, label: label(person) }))}
        />
        <FormButtons cancel={close} submit={t(addKeys[kind])} disabled={userId === null} loading={create.isPending} />
      </Form>
    </Dialog>
  );
}
