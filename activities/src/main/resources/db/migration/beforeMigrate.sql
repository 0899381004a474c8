-- Generated columns need PostgreSQL 12; nothing older than 14 is tested.
DO $$
BEGIN
    IF current_setting('server_version_num')::int < 140000 THEN
        RAISE EXCEPTION 'PostgreSQL % is too old: Berth needs PostgreSQL 14 or a later one.', current_setting('server_version');
    END IF;
END $$;
