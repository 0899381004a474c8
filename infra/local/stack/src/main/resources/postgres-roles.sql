-- The roles of Berth in PostgreSQL, for a superuser, in the database of Berth. May be repeated. Passwords are set apart:
-- ALTER ROLE berth_api PASSWORD '…'.
--   berth_owner   runs the migrations, and owns the tables
--   berth_api     the API and the orchestrator: reads and writes rows, and only adds to the audit
--   berth_gateway the worker gateway: reads and writes the journal of FIX sessions, and nothing else
--   berth_reader  reads, but not the encrypted credentials
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['berth_owner', 'berth_api', 'berth_gateway', 'berth_reader'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', name);
        END IF;
    END LOOP;

    EXECUTE 'ALTER SCHEMA public OWNER TO berth_owner';
    EXECUTE 'REVOKE CREATE ON SCHEMA public FROM PUBLIC';
    EXECUTE 'GRANT USAGE ON SCHEMA public TO berth_api, berth_gateway, berth_reader';

    -- Of an installation that had one role only.
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tableowner <> 'berth_owner' LOOP
        EXECUTE format('ALTER TABLE public.%I OWNER TO berth_owner', name);
    END LOOP;
END $$;
