-- Whether all workers are suspended: one row, made by the first change.
create table fleet_switch (
    only_row boolean primary key default true check (only_row),
    version bigint not null,
    suspended boolean not null,
    reason text,
    changed_by text not null,
    changed_at timestamptz not null
);
