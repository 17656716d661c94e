# A port that anybody may listen at.
type Profile::Port = Integer[1024, 65535]
